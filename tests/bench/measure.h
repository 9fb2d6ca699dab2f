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

/// The seconds that `work` takes: one warm-up, then the median of `times` runs. A single run has no warm-up.
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

/// Measures repeatedly what takes less than `repeated` seconds, the rest once.
template <class Work>
double onceOrMedianSeconds(Work work, double repeated) {
  const double begin = now();
  work();
  const double seconds = now() - begin;
  return seconds < repeated ? medianSeconds(work) : seconds;
}

/// The largest memory use of this process so far, bytes; 0 if the system does not report it.
inline double peakHostBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) * 1024;
  return 0;
}

}  // namespace sulcus::bench
