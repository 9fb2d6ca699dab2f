#pragma once

#include "core/base/progress.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sulcus {

/// `count` copies of `value`. Large memory is slow to touch for the first time: done some megabytes at a
/// time, between which the run may be cancelled.
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
