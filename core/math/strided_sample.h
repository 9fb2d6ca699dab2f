#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sulcus {

/// Calls `take` with `most` of the numbers 0 … count − 1 in ascending order, or with all if there are fewer
/// than twice as many: enough for percentiles of an image, and instant however large it is. The range is
/// divided into equal parts with one number from each, whose place within its part follows multiples of the
/// golden ratio: a fixed stride might meet nothing but the border of the image.
template <class Take>
void forStridedSample(std::int64_t count, std::int64_t most, Take&& take) {
  if (count < 2 * most) {
    for (std::int64_t i = 0; i < count; ++i) take(i);
    return;
  }
  const double part = double(count) / double(most);
  for (std::int64_t i = 0; i < most; ++i) {
    const double within = double(std::uint32_t(i) * 2654435769U) * 0x1p-32;  // 0 … 1
    take(std::min(std::int64_t((double(i) + within) * part), count - 1));
  }
}

/// An even sample of some 100 000 of the values, reduced to those that count.
template <class Counts>
std::vector<float> stridedSample(std::span<const float> values, const Counts& counts) {
  std::vector<float> sample;
  forStridedSample(std::int64_t(values.size()), 100'000, [&](std::int64_t i) {
    if (const float value = values[i]; counts(value)) sample.push_back(value);
  });
  return sample;
}

}  // namespace sulcus
