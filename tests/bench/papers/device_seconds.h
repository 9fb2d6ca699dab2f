#pragma once

#include "gpu/runtime/stream.h"
#include "tests/bench/measure.h"

namespace sulcus::bench {

/// The device time of what `launch` queues, seconds: the median of five after a warm-up.
template <class Launch>
double medianDeviceSeconds(const gpu::Stream& stream, const Launch& launch) {
  const gpu::Event before, after;
  std::vector<double> seconds;
  for (int i = 0; i < 6; ++i) {
    before.record(stream);
    launch();
    after.record(stream);
    stream.synchronize();
    if (i > 0) seconds.push_back(after.secondsSince(before));
  }
  return median(seconds);
}

}  // namespace sulcus::bench
