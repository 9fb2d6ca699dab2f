#pragma once

#include "core/registration/preparation/intensity.h"
#include "core/registration/preparation/intensity_kernel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

// Matching of intensities, shared by CPU and GPU. `Values` gives access to the values of an image in a mask:
//   above(threshold)                    count and sum of those above a threshold
//   squaresAbove(threshold, mean)       the sum of their squared deviations from the mean
//   quantilesAbove(threshold, shares)   quantiles of these; there must be at least one
//   lowest()                            the smallest
//   change(map)                         replaces v by map.of(v) in each voxel, also outside of the mask

namespace sulcus::registration {

/// Number and sum of values.
struct CountAndSum {
  double count = 0, sum = 0;
  double mean() const { return count > 0 ? sum / count : 0; }
};

inline constexpr double kAllValues = -INFINITY;  ///< a threshold below all values
inline constexpr int kMatchedQuantiles = 64;

/// The mean of an image. Brighter voxels are the foreground.
template <class Values>
double foregroundThreshold(Values& values) {
  return values.above(kAllValues).mean();
}

template <class Values>
Brightness brightnessOf(Values& values) {
  constexpr double percentile = 0.98;
  Brightness result;
  result.lowest = values.lowest() + 0.0f;  // never −0
  result.threshold = foregroundThreshold(values);
  const double brightest = values.above(result.threshold).count > 0
                               ? values.quantilesAbove(result.threshold, {percentile}).front()
                               : result.threshold;
  result.scale = brightest - result.lowest;
  return result;
}

/// A map through knots, in which those with the same `from` are replaced by their mean.
///
/// @param knots  in ascending order
inline IntensityMap mapThrough(const std::vector<Knot>& knots) {
  IntensityMap map;
  for (std::size_t i = 0; i < knots.size();) {
    double sum = 0;
    std::size_t same = i;
    while (same < knots.size() && knots[same].from <= knots[i].from) sum += knots[same++].to;
    map.knots[map.count++] = {knots[i].from, sum / double(same - i)};
    i = same;
  }
  return map;
}

/// The map that matchIntensities() applies to the template; none if it changes nothing.
template <class Values>
std::optional<IntensityMap> intensityMap(Values& moving, Values& reference, IntensityMatch match) {
  if (match == IntensityMatch::off) return {};
  const double referenceThreshold = foregroundThreshold(reference);
  const CountAndSum to = reference.above(referenceThreshold);
  // Both images show the same object, so the same share of the template is foreground, whatever its contrast.
  const double all = moving.above(kAllValues).count, share = 1 - to.count / std::max(all, 1.0);
  const double movingThreshold = all > 0 ? moving.quantilesAbove(kAllValues, {share}).front() : 0;
  const CountAndSum from = moving.above(movingThreshold);
  if (from.count == 0 || to.count == 0) return {};

  if (match == IntensityMatch::linear) {
    const double fromSquares = moving.squaresAbove(movingThreshold, from.mean()),
                 toSquares = reference.squaresAbove(referenceThreshold, to.mean());
    const double fromSpread = std::sqrt(fromSquares / from.count), toSpread = std::sqrt(toSquares / to.count);
    IntensityMap map;
    map.slope = fromSpread > 0 ? toSpread / fromSpread : 1;
    map.from = from.mean();
    map.to = to.mean();
    return map;
  }
  std::vector<double> shares;
  for (int q = 0; q <= kMatchedQuantiles; ++q) shares.push_back(double(q) / kMatchedQuantiles);
  const std::vector<double> fromQuantiles = moving.quantilesAbove(movingThreshold, shares),
                            toQuantiles = reference.quantilesAbove(referenceThreshold, shares);
  std::vector<Knot> knots{{moving.lowest() + 0.0f, reference.lowest() + 0.0f},
                          {movingThreshold, referenceThreshold}};
  for (std::size_t q = 0; q < shares.size(); ++q) knots.push_back({fromQuantiles[q], toQuantiles[q]});
  return mapThrough(knots);
}

/// Matches the template's intensities to the reference's, and divides both by the reference's range.
///
/// @param own  the template is divided by its own range instead
template <class Values>
void matchAndScale(Values& moving, Values& reference, const Brightness& ofReference, IntensityMatch match,
                   bool own) {
  if (const auto map = intensityMap(moving, reference, match)) moving.change(*map);
  const Brightness ofMoving = own ? brightnessOf(moving) : ofReference;
  reference.change(ofReference);
  moving.change(ofMoving);
}

}  // namespace sulcus::registration
