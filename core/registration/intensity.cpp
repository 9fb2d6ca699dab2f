#include "core/registration/intensity.h"

#include "core/base/parallel_for.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sulcus::registration {
namespace {

constexpr int kQuantiles = 64;

/// The values in the mask that are above the threshold.
std::vector<float> foreground(const std::vector<float>& values, const std::vector<std::uint8_t>& mask,
                              double threshold) {
  std::vector<float> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (mask[i] && values[i] > threshold) result.push_back(values[i]);
  return result;
}

std::vector<float> sorted(std::vector<float> values) {
  parallelSort(values);
  return values;
}

float lowest(const std::vector<float>& values, const std::vector<std::uint8_t>& mask) {
  float result = INFINITY;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (mask[i]) result = std::min(result, values[i]);
  return result;
}

struct MeanAndSpread {
  double mean, spread;
};
MeanAndSpread meanAndSpread(std::span<const float> values) {
  double sum = 0, squares = 0;
  for (const float v : values) sum += v;
  const double mean = sum / double(values.size());
  for (const float v : values) squares += (v - mean) * (v - mean);
  return {mean, std::sqrt(squares / double(values.size()))};
}

/// A point of the piecewise linear map of intensities.
struct Knot {
  double from, to;
};

/// The knots of the map in ascending order; those with the same `from` are replaced by their mean.
std::vector<Knot> knotsOf(std::span<const float> moving, double movingLowest, double movingThreshold,
                          std::span<const float> reference, double referenceLowest,
                          double referenceThreshold) {
  std::vector<Knot> knots{{movingLowest, referenceLowest}, {movingThreshold, referenceThreshold}};
  for (int q = 0; q <= kQuantiles; ++q) {
    const double share = double(q) / kQuantiles;
    knots.push_back(
        {interpolatedQuantileOfSorted(moving, share), interpolatedQuantileOfSorted(reference, share)});
  }
  std::vector<Knot> result;
  for (std::size_t i = 0; i < knots.size();) {
    double sum = 0;
    std::size_t same = i;
    while (same < knots.size() && knots[same].from <= knots[i].from) sum += knots[same++].to;
    result.push_back({knots[i].from, sum / double(same - i)});
    i = same;
  }
  return result;
}

}  // namespace

double foregroundThreshold(const std::vector<float>& values, const std::vector<std::uint8_t>& mask) {
  double sum = 0, n = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (mask[i]) sum += values[i], ++n;
  return n > 0 ? sum / n : 0;
}

double foregroundQuantile(const std::vector<float>& values, const std::vector<std::uint8_t>& mask,
                          double threshold, double share) {
  auto above = foreground(values, mask, threshold);
  if (above.empty()) return threshold;
  return interpolatedQuantile(above, share);
}

void matchIntensities(std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& mask, IntensityMatch match) {
  if (match == IntensityMatch::off) return;
  const double referenceThreshold = foregroundThreshold(reference, mask);
  const auto referenceValues = sorted(foreground(reference, mask, referenceThreshold));
  // Both images show the same object, so the same share of the template is foreground, whatever its contrast.
  const auto ascending = sorted(foreground(moving, mask, -INFINITY));
  const double share =
      1 - double(referenceValues.size()) / double(std::max<std::size_t>(ascending.size(), 1));
  const double movingThreshold = ascending.empty() ? 0 : interpolatedQuantileOfSorted(ascending, share);
  const std::span<const float> movingValues(
      std::upper_bound(ascending.begin(), ascending.end(), movingThreshold), ascending.end());
  if (movingValues.empty() || referenceValues.empty()) return;

  if (match == IntensityMatch::linear) {
    const auto from = meanAndSpread(movingValues), to = meanAndSpread(referenceValues);
    const double slope = from.spread > 0 ? to.spread / from.spread : 1;
    for (float& v : moving) v = float(to.mean + slope * (v - from.mean));
    return;
  }
  const auto knots = knotsOf(movingValues, lowest(moving, mask), movingThreshold, referenceValues,
                             lowest(reference, mask), referenceThreshold);
  const auto matched = [&](float v) {
    const auto above = std::upper_bound(knots.begin(), knots.end(), double(v),
                                        [](double value, const Knot& knot) { return value < knot.from; });
    if (above == knots.begin()) return float(knots.front().to);
    if (above == knots.end()) return float(knots.back().to);
    const Knot &a = *(above - 1), &b = *above;
    return float(a.to + (b.to - a.to) * (v - a.from) / (b.from - a.from));
  };
  parallelFor(
      std::int64_t(moving.size()), Progress(),
      [&](std::int64_t i) { moving[std::size_t(i)] = matched(moving[std::size_t(i)]); }, 65536);
}

}  // namespace sulcus::registration
