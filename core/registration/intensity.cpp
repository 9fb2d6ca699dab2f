#include "core/registration/intensity.h"

#include <algorithm>
#include <cmath>

namespace sulcus {
namespace {

constexpr int kQuantiles = 64;

/// The counting values above the threshold, ascending.
std::vector<float> foreground(const std::vector<float>& values, const std::vector<std::uint8_t>& counts,
                              double threshold) {
  std::vector<float> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counts[i] && values[i] > threshold) result.push_back(values[i]);
  std::sort(result.begin(), result.end());
  return result;
}

/// Of ascending values, linear between neighbours.
double quantile(const std::vector<float>& ascending, double share) {
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
MeanAndSpread meanAndSpread(const std::vector<float>& values) {
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
std::vector<Knot> knotsOf(const std::vector<float>& moving, double movingLowest, double movingThreshold,
                          const std::vector<float>& reference, double referenceLowest,
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
  const auto ascending = foreground(values, counts, threshold);
  return ascending.empty() ? threshold : quantile(ascending, share);
}

void matchIntensities(std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& counts, IntensityMatch match) {
  if (match == IntensityMatch::off) return;
  const double referenceThreshold = foregroundThreshold(reference, counts);
  const auto referenceValues = foreground(reference, counts, referenceThreshold);
  // Both images show the same: as large a share of the template is foreground, whatever its contrast.
  const auto ascending = foreground(moving, counts, -INFINITY);
  const double share =
      1 - double(referenceValues.size()) / double(std::max<std::size_t>(ascending.size(), 1));
  const double movingThreshold = ascending.empty() ? 0 : quantile(ascending, share);
  const auto movingValues = foreground(moving, counts, movingThreshold);
  if (movingValues.empty() || referenceValues.empty()) return;

  if (match == IntensityMatch::linear) {
    const auto from = meanAndSpread(movingValues), to = meanAndSpread(referenceValues);
    const double slope = from.spread > 0 ? to.spread / from.spread : 1;
    for (float& v : moving) v = float(to.mean + slope * (v - from.mean));
    return;
  }
  const auto knots = knotsOf(movingValues, lowest(moving, counts), movingThreshold, referenceValues,
                             lowest(reference, counts), referenceThreshold);
  for (float& v : moving) {
    const auto above = std::upper_bound(knots.begin(), knots.end(), double(v),
                                        [](double value, const Knot& knot) { return value < knot.from; });
    if (above == knots.begin()) {
      v = float(knots.front().to);
    } else if (above == knots.end()) {
      v = float(knots.back().to);
    } else {
      const Knot &a = *(above - 1), &b = *above;
      v = float(a.to + (b.to - a.to) * (v - a.from) / (b.from - a.from));
    }
  }
}

}  // namespace sulcus
