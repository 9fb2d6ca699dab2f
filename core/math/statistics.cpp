#include "core/math/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace sulcus {
namespace {

std::size_t lowerRank(std::size_t count, double q) {
  assert(count > 0 && q >= 0 && q <= 1);
  return std::size_t(q * double(count - 1));
}

template <class T>
T valueOfRank(std::span<T> values, std::size_t rank) {
  const auto at = values.begin() + std::ptrdiff_t(rank);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

float lowerQuantile(std::span<float> values, double q) {
  return valueOfRank(values, lowerRank(values.size(), q));
}
double lowerQuantile(std::span<double> values, double q) {
  return valueOfRank(values, lowerRank(values.size(), q));
}

float upperMedian(std::span<float> values) { return valueOfRank(values, values.size() / 2); }
double upperMedian(std::span<double> values) { return valueOfRank(values, values.size() / 2); }

double interpolatedQuantile(std::span<float> values, double q) {
  const std::size_t rank = lowerRank(values.size(), q);
  valueOfRank(values, rank);
  // Only the values of this rank and the next one have to be where a sort would put them.
  const auto next = values.begin() + std::ptrdiff_t(rank) + 1;
  if (next != values.end()) std::iter_swap(next, std::min_element(next, values.end()));
  return interpolatedQuantileOfSorted(values, q);
}

double interpolatedQuantileOfSorted(std::span<const float> ascending, double q) {
  const double at = q * double(ascending.size() - 1);
  const std::size_t rank = std::size_t(at), next = std::min(rank + 1, ascending.size() - 1);
  return ascending[rank] + (at - double(rank)) * (double(ascending[next]) - ascending[rank]);
}

double upperDeviate(double tail) {
  const double t = std::sqrt(-2 * std::log(tail));
  return t -
         (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

}  // namespace sulcus
