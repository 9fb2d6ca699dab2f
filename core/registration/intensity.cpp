#include "core/registration/intensity.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sulcus {
namespace {

constexpr int kQuantiles = 64;

/// The counting values above the threshold.
std::vector<float> foreground(const std::vector<float>& values, const std::vector<std::uint8_t>& counts,
                              double threshold) {
  std::vector<float> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counts[i] && values[i] > threshold) result.push_back(values[i]);
  return result;
}

std::vector<float> sorted(std::vector<float> values) {
  parallelSort(values);
  return values;
}

/// Of ascending values, linear between neighbours.
double quantile(std::span<const float> ascending, double share) {
  const double at = share * double(ascending.size() - 1);
  const auto i = std::min(std::size_t(at), ascending.size() - 1),
             next = std::min(i + 1, ascending.size() - 1);
  return ascending[i] + (at - double(i)) * (double(ascending[next]) - ascending[i]);
}

float lowest(const std::vector<float>& values, const std::vector<std::uint8_t>& counts) {
  float result = INFINITY;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counts[i]) result = std::min(result, values[i]);
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

struct Knot {
  double from, to;
};

/// Ascending knots, those of equal `from` made one.
std::vector<Knot> knotsOf(std::span<const float> moving, double movingLowest, double movingThreshold,
                          std::span<const float> reference, double referenceLowest,
                          double referenceThreshold) {
  std::vector<Knot> knots{{movingLowest, referenceLowest}, {movingThreshold, referenceThreshold}};
  for (int q = 0; q <= kQuantiles; ++q) {
    const double share = double(q) / kQuantiles;
    knots.push_back({quantile(moving, share), quantile(reference, share)});
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

double foregroundThreshold(const std::vector<float>& values, const std::vector<std::uint8_t>& counts) {
  double sum = 0, n = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counts[i]) sum += values[i], ++n;
  return n > 0 ? sum / n : 0;
}

double foregroundQuantile(const std::vector<float>& values, const std::vector<std::uint8_t>& counts,
                          double threshold, double share) {
  auto above = foreground(values, counts, threshold);
  if (above.empty()) return threshold;
  // Only the value at that place and the next one have to be where a sort would put them.
  const auto at = above.begin() + std::ptrdiff_t(share * double(above.size() - 1));
  std::nth_element(above.begin(), at, above.end());
  if (at + 1 != above.end()) std::iter_swap(at + 1, std::min_element(at + 1, above.end()));
  return quantile(above, share);
}

void matchIntensities(std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& counts, IntensityMatch match) {
  if (match == IntensityMatch::off) return;
  const double referenceThreshold = foregroundThreshold(reference, counts);
  const auto referenceValues = sorted(foreground(reference, counts, referenceThreshold));
  // Both images show the same: as large a share of the template is foreground, whatever its contrast.
  const auto ascending = sorted(foreground(moving, counts, -INFINITY));
  const double share =
      1 - double(referenceValues.size()) / double(std::max<std::size_t>(ascending.size(), 1));
  const double movingThreshold = ascending.empty() ? 0 : quantile(ascending, share);
  const std::span<const float> movingValues(
      std::upper_bound(ascending.begin(), ascending.end(), movingThreshold), ascending.end());
  if (movingValues.empty() || referenceValues.empty()) return;

  if (match == IntensityMatch::linear) {
    const auto from = meanAndSpread(movingValues), to = meanAndSpread(referenceValues);
    const double slope = from.spread > 0 ? to.spread / from.spread : 1;
    for (float& v : moving) v = float(to.mean + slope * (v - from.mean));
    return;
  }
  const auto knots = knotsOf(movingValues, lowest(moving, counts), movingThreshold, referenceValues,
                             lowest(reference, counts), referenceThreshold);
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

}  // namespace sulcus
