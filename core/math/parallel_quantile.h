#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace sulcus {

/// The position of a quantile in ascending values: between two ranks, which are adjacent or equal.
struct QuantileRank {
  std::int64_t low, high;
  double fraction;  ///< of the distance from `low` to `high`

  double between(float a, float b) const { return std::fma(fraction, double(b) - a, a); }
};

/// @param q  0…1; `count` is at least 1
inline QuantileRank quantileRank(double q, std::int64_t count) {
  const auto low = std::int64_t(q * double(count - 1));
  return {low, std::min(low + 1, count - 1), std::fma(q, double(count - 1), -double(low))};
}

/// interpolatedQuantile() of at least one finite value, on all threads of the withThreads() scope. Does not
/// reorder `values`.
double parallelQuantile(std::span<const float> values, double q);

}  // namespace sulcus
