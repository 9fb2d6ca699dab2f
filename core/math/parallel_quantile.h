#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace sulcus {

/// Where a quantile lies in ascending values: between those of two ranks, which are neighbors or the same.
struct QuantileRank {
  std::int64_t low, high;
  double fraction;  ///< of the way from one to the other

  double between(float a, float b) const { return std::fma(fraction, double(b) - a, a); }
};

/// @param q  0…1; `count` is at least 1
inline QuantileRank quantileRank(double q, std::int64_t count) {
  const auto low = std::int64_t(q * double(count - 1));
  return {low, std::min(low + 1, count - 1), std::fma(q, double(count - 1), -double(low))};
}

/// interpolatedQuantile() of at least one finite value, on all threads of the withThreads() scope. `values`
/// stay as they are.
double parallelQuantile(std::span<const float> values, double q);

}  // namespace sulcus
