#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace sulcus {

/// Of about 100 000 of the values, evenly spread, those that count: enough for percentiles of an image, and
/// instant however large it is.
template <class Counts>
std::vector<float> evenSample(std::span<const float> values, const Counts& counts) {
  const std::size_t stride = std::max<std::size_t>(1, values.size() / 100000);
  std::vector<float> sample;
  sample.reserve(values.size() / stride + 1);
  for (std::size_t i = 0; i < values.size(); i += stride)
    if (counts(values[i])) sample.push_back(values[i]);
  return sample;
}

}  // namespace sulcus
