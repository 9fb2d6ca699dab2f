#pragma once

#include "core/math/statistics.h"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace sulcus::bench {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> values) { return upperMedian(values); }

/// Seconds that `work` takes: one warm-up, then the median of `times`. Of one time there is no warm-up.
template <class Work>
double medianSeconds(Work work, int times = 5) {
  if (times > 1) work();
  std::vector<double> seconds;
  for (int i = 0; i < times; ++i) {
    const double begin = now();
    work();
    seconds.push_back(now() - begin);
  }
  return median(seconds);
}

/// The same for what takes less than `repeated` seconds; the rest is measured once.
template <class Work>
double onceOrMedianSeconds(Work work, double repeated) {
  const double begin = now();
  work();
  const double seconds = now() - begin;
  return seconds < repeated ? medianSeconds(work) : seconds;
}

/// Most memory that this process has held so far, bytes; 0 where the system does not tell.
inline double peakHostBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) * 1024;
  return 0;
}

}  // namespace sulcus::bench
