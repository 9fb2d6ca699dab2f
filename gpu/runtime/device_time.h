#pragma once

#include "core/base/device_time.h"

// How long this process waited for its GPUs. Compiles without the CUDA toolkit, where it is never.

namespace sulcus::gpu {

/// Since the process began. Waits of several threads that lie over each other count once.
DeviceTime deviceTime();

enum class Awaited { work, copies };

/// While it lives, the calling thread waits for a GPU.
class Waiting {
 public:
  explicit Waiting(Awaited what);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Awaited what_;
};

/// A queue of work, for inBatches(), whose waits are counted.
template <class Queue>
struct Awaiting {
  const Queue& queue;
  void synchronize() const {
    const Waiting waiting(Awaited::work);
    queue.synchronize();
  }
};

}  // namespace sulcus::gpu
