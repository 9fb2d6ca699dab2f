#pragma once

#include "core/base/progress.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>

#include <malloc.h>

namespace sulcus::test {

/// Bytes that this process has allocated and not freed; 0 if an allocator other than the C library's is used
/// (sanitizers).
inline std::size_t heapInUse() {
  const auto now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

/// Resident bytes of this process that are not from files, whose pages the system manages as it likes; 0 if
/// unknown.
inline double residentOfNoFile() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return 1024 * std::stod(line.substr(8));
  return 0;
}

/// The most bytes in use when `work(progress)` reports progress, and when its result is complete. 0 if
/// heapInUse() is unknown.
template <class Work>
double mostAllocated(const Work& work) {
  const double before = double(heapInUse());
  if (before == 0) return 0;
  double most = 0;
  std::mutex mutex;  // guards `most`: any thread may report
  const auto look = [&](double, std::string_view) {
    const std::scoped_lock lock(mutex);
    most = std::max(most, double(heapInUse()) - before);
  };
  const auto result = work(Progress({}, look));
  look(1, "");
  return most;
}

}  // namespace sulcus::test
