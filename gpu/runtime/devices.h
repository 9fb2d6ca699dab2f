#pragma once

#include "gpu/runtime/check.h"
#include "gpu/runtime/stream.h"

#include <functional>
#include <utility>
#include <vector>

// Several devices in one run: chosenDevices(). What they share out is chosen so that no sum depends on how
// many there are: the result has the same bits on any number of them.

namespace sulcus::gpu {

/// Calls work(i) for the i-th of `devices`, each on a thread of its own on which that device is the current
/// one, and returns when all are done; the threads of parallelFor() are shared out among them. Lets the
/// devices reach each other's memory. Rethrows what the first of them threw.
void onEachDevice(const std::vector<int>& devices, const std::function<void(int i)>& work);

/// Lets the devices reach each other's memory where the machine can do that. Where it cannot, copies between
/// them pass through the memory of the host.
void joinDevices(const std::vector<int>& devices);

/// While it lives, `device` is the calling thread's.
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

/// A device with a queue of its work.
class DeviceQueue {
 public:
  /// Makes a queue on the calling thread's device.
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
  /// Marks how far the queue has been filled.
  void mark() const { SULCUS_CUDA(cudaEventRecord(reached_, stream_.get())); }
  /// What is queued here from now on begins when `other` has come to its mark.
  void waitFor(const DeviceQueue& other) const {
    SULCUS_CUDA(cudaStreamWaitEvent(stream_.get(), other.reached_));
  }

 private:
  int device_ = 0;
  Stream stream_;
  cudaEvent_t reached_ = nullptr;
};

/// The queues of devices that work step by step on one thing, filled by one thread.
class DeviceQueues {
 public:
  /// Makes one queue, on the calling thread's device.
  DeviceQueues();
  /// Makes a queue on each of the devices, and lets them reach each other's memory.
  explicit DeviceQueues(const std::vector<int>& devices);

  std::size_t size() const { return queues_.size(); }
  const DeviceQueue& operator[](std::size_t i) const { return queues_[i]; }
  const DeviceQueue& front() const { return queues_.front(); }

  /// Queues a meeting: what is queued after it begins when all devices have done what was queued before.
  void synchronizeAll() const;
  /// Waits until everything queued is done.
  void synchronize() const;

 private:
  std::vector<DeviceQueue> queues_;
};

}  // namespace sulcus::gpu
