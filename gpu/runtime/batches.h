#pragma once

#include "core/base/progress.h"
#include "core/base/stage_clock.h"
#include "gpu/runtime/stream.h"

#include <algorithm>
#include <cstdint>

namespace sulcus::gpu {

/// Calls `launch(begin, end)` for consecutive ranges that cover [0, count) and queue their work on `stream`.
/// Between ranges it reports progress and throws Cancelled; ranges grow or shrink from `first` until one
/// takes 20 to 40 ms, so that a cancelled run ends within 100 ms. Returns when all is done.
template <class Launch>
void inBatches(std::int64_t count, const Stream& stream, const Progress& progress, std::int64_t first,
               Launch launch) {
  progress.throwIfCancelled();
  for (std::int64_t begin = 0, batch = first; begin < count;) {
    const std::int64_t end = std::min(count, begin + batch);
    const StageClock clock;
    launch(begin, end);
    stream.synchronize();
    const double seconds = clock.seconds();
    if (seconds < 0.02)
      batch *= 2;
    else if (seconds > 0.04)
      batch = std::max<std::int64_t>(1, batch / 2);
    begin = end;
    progress.update(double(end) / double(count));
  }
}

}  // namespace sulcus::gpu
