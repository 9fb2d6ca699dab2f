#pragma once

#include "gpu/runtime/check.h"

#include <utility>

namespace sulcus::gpu {

/// A queue of device work, on the device that was current at construction. Owns its handle; move-only.
class Stream {
 public:
  Stream() { SULCUS_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() {
    if (stream_) cudaStreamDestroy(stream_);  // running work is finished first
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }

  cudaStream_t get() const { return stream_; }
  /// Waits until all queued work is done; faults of earlier kernels surface here.
  void synchronize() const { SULCUS_CUDA(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A mark in a stream, for waiting and for timing.
class Event {
 public:
  Event() { SULCUS_CUDA(cudaEventCreate(&event_)); }
  ~Event() {
    if (event_) cudaEventDestroy(event_);
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  void record(const Stream& stream) const { SULCUS_CUDA(cudaEventRecord(event_, stream.get())); }
  void synchronize() const { SULCUS_CUDA(cudaEventSynchronize(event_)); }
  /// Seconds of device time from `start` to this event; both must have completed.
  double secondsSince(const Event& start) const {
    float milliseconds = 0;
    SULCUS_CUDA(cudaEventElapsedTime(&milliseconds, start.event_, event_));
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace sulcus::gpu
