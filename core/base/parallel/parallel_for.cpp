#include "core/base/parallel/parallel_for.h"

#include "core/base/error.h"
#include "core/base/platform/processes/thread_priority.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace sulcus {
namespace {

/// TBB silently cuts a loop short when a loop around it has failed.
void throwIfCut() {
  if (tbb::is_current_task_group_canceling()) throw Cancelled();
}

}  // namespace

void parallelForBlocks(std::int64_t count, std::int64_t block, const Progress& progress,
                       const std::function<void(std::int64_t, std::int64_t)>& body) {
  if (count <= 0) return;
  block = std::max<std::int64_t>(1, block);
  const std::int64_t blocks = (count + block - 1) / block;
  std::atomic<std::int64_t> done{0};
  progress.throwIfCancelled();
  // Isolated: a thread that waits for these blocks takes no work from another loop in which this one may be
  // nested; otherwise loops would pile up on its stack.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, blocks, 1),
        [&, yields = threadYields()](const auto& range) {
          if (yields) yieldThread();
          for (std::int64_t b = range.begin(); b < range.end(); ++b) {
            body(b * block, std::min(count, (b + 1) * block));
            progress.update(static_cast<double>(++done) / static_cast<double>(blocks));
          }
        },
        tbb::simple_partitioner());
  });
  throwIfCut();
}

void uninterrupted(const std::function<void()>& work) {
  tbb::task_group_context own(tbb::task_group_context::isolated);
  tbb::parallel_for(
      0, 1, [&](int) { work(); }, own);
}

void parallelSort(std::vector<float>& values) {
  tbb::parallel_sort(values.begin(), values.end(), [](float a, float b) {
    return a < b || (a == b && std::signbit(a) && !std::signbit(b));
  });
  throwIfCut();
}

void withThreads(int threads, const std::function<void()>& work) {
  if (threads <= 0) {
    work();
    return;
  }
  tbb::task_arena arena(threads);
  arena.execute(work);
}

ThreadLimit::ThreadLimit(int threads) {
  if (threads > 0)
    control_ = std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                     std::size_t(threads));
}

int threadCount() { return tbb::this_task_arena::max_concurrency(); }

}  // namespace sulcus
