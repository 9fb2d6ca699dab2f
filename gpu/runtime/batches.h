#pragma once

#include "core/base/progress.h"
#include "core/base/stage_clock.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/stream.h"

#include <algorithm>
#include <cstdint>
#include <mutex>

namespace sulcus::gpu {

/// The rest of [0, count) for workers that share it. Thread-safe.
class WorkQueue {
 public:
  explicit WorkQueue(std::int64_t count, int workers = 1) : count_(count), workers_(workers) {}

  struct Range {
    std::int64_t begin, end;  ///< equal if nothing is left
  };
  /// Takes the next `most`, or fewer near the end so that all workers finish at about the same time.
  Range take(std::int64_t most) {
    const std::scoped_lock lock(mutex_);
    const std::int64_t begin = next_, left = count_ - begin;
    const std::int64_t fair = std::max(ceilDivide(left, workers_), most / 8);
    next_ += std::min({left, most, fair});
    return {begin, next_};
  }
  std::int64_t count() const { return count_; }

 private:
  const std::int64_t count_;
  const int workers_;
  std::int64_t next_ = 0;
  std::mutex mutex_;
};

/// Calls `launch(begin, end)`, which queues work on `queue` (a Stream or DeviceQueues), for ranges taken from
/// `left` until nothing is left. Between ranges it reports progress and throws Cancelled; ranges grow or
/// shrink from `first` until one takes 20 to 40 ms, so that a cancelled run ends within 100 ms. Returns when
/// all work is done.
template <class Queue, class Launch>
void inBatches(WorkQueue& left, const Queue& queue, const Progress& progress, std::int64_t first,
               Launch launch) {
  progress.throwIfCancelled();
  std::int64_t batch = first;
  for (auto range = left.take(batch); range.begin < range.end; range = left.take(batch)) {
    const StageClock clock;
    launch(range.begin, range.end);
    queue.synchronize();
    const double seconds = clock.seconds();
    if (seconds < 0.02)
      batch *= 2;
    else if (seconds > 0.04)
      batch = std::max<std::int64_t>(1, batch / 2);
    progress.update(double(range.end) / double(left.count()));
  }
}

/// Runs all of [0, count) in batches.
template <class Queue, class Launch>
void inBatches(std::int64_t count, const Queue& queue, const Progress& progress, std::int64_t first,
               Launch launch) {
  WorkQueue all(count);
  inBatches(all, queue, progress, first, launch);
}

}  // namespace sulcus::gpu
