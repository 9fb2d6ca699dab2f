#pragma once

#include "core/base/progress.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sulcus {

/// `count` copies of `value`. Touching large memory for the first time is slow, so it is done a few megabytes
/// at a time, and the run may be cancelled in between.
template <class T>
std::vector<T> allocate(std::size_t count, T value, const Progress& progress) {
  constexpr std::size_t kStep = (std::size_t(8) << 20) / sizeof(T);
  std::vector<T> values;
  values.reserve(count);
  while (values.size() < count) {
    progress.throwIfCancelled();
    values.insert(values.end(), std::min(kStep, count - values.size()), value);
  }
  return values;
}

}  // namespace sulcus
