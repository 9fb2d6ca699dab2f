#pragma once

#include "core/base/device_time.h"

// How long this process waited for its GPUs. Compiles without the CUDA toolkit, where it is always 0.

namespace sulcus::gpu {

/// Since the start of the process. Overlapping waits of several threads count once.
DeviceTime deviceTime();

enum class WaitKind { work, copies };

/// Counts its lifetime as time in which the calling thread waits for a GPU.
class WaitTimer {
 public:
  explicit WaitTimer(WaitKind what);
  ~WaitTimer();
  WaitTimer(const WaitTimer&) = delete;
  WaitTimer& operator=(const WaitTimer&) = delete;

 private:
  WaitKind what_;
};

/// A queue of work for inBatches() whose waits are counted.
template <class Queue>
struct TimedQueue {
  const Queue& queue;
  void synchronize() const {
    const WaitTimer waiting(WaitKind::work);
    queue.synchronize();
  }
};

}  // namespace sulcus::gpu
