#pragma once

#include "gpu/runtime/check.h"
#include "gpu/runtime/stream.h"

#include <functional>
#include <utility>
#include <vector>

// Several devices in one run: chosenDevices(). Work is shared so that no sum depends on the number of
// devices: the result has the same bits for any number.

namespace sulcus::gpu {

/// Calls work(i) for the i-th of `devices`, each on a separate thread with that device as the current one,
/// and returns when all are done; the threads of parallelFor() are divided among them. Lets the devices
/// access each other's memory. Rethrows the exception of the first of them.
void onEachDevice(const std::vector<int>& devices, const std::function<void(int i)>& work);

/// Lets the devices access each other's memory if the machine supports it. Otherwise copies between them pass
/// through host memory.
void joinDevices(const std::vector<int>& devices);

/// Makes `device` the calling thread's current one during its lifetime.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    SULCUS_CUDA(cudaGetDevice(&before_));
    SULCUS_CUDA(cudaSetDevice(device));
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

/// A device and its work queue.
class DeviceQueue {
 public:
  /// Creates a queue on the calling thread's device.
  DeviceQueue();
  ~DeviceQueue() {
    if (reached_) cudaEventDestroy(reached_);
  }
  DeviceQueue(DeviceQueue&& other) noexcept
      : device_(other.device_),
        stream_(std::move(other.stream_)),
        reached_(std::exchange(other.reached_, nullptr)) {}

  int device() const { return device_; }
  const Stream& stream() const { return stream_; }
  /// Marks the current end of the queue.
  void mark() const { SULCUS_CUDA(cudaEventRecord(reached_, stream_.get())); }
  /// Work queued here from now on begins when `other` has reached its mark.
  void waitFor(const DeviceQueue& other) const {
    SULCUS_CUDA(cudaStreamWaitEvent(stream_.get(), other.reached_));
  }

 private:
  int device_ = 0;
  Stream stream_;
  cudaEvent_t reached_ = nullptr;
};

/// The queues of devices that work on one task step by step, filled by one thread.
class DeviceQueues {
 public:
  /// Creates one queue, on the calling thread's device.
  DeviceQueues();
  /// Creates a queue on each of the devices, and lets them access each other's memory.
  explicit DeviceQueues(const std::vector<int>& devices);

  std::size_t size() const { return queues_.size(); }
  const DeviceQueue& operator[](std::size_t i) const { return queues_[i]; }
  const DeviceQueue& front() const { return queues_.front(); }

  /// Queues a barrier: work queued after it begins when all devices have done the work queued before.
  void synchronizeAll() const;
  /// Waits until everything queued is done.
  void synchronize() const;

 private:
  std::vector<DeviceQueue> queues_;
};

}  // namespace sulcus::gpu
