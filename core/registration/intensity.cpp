#include "core/registration/intensity.h"

#include "core/base/block_sums.h"
#include "core/base/parallel_for.h"
#include "core/math/parallel_quantile.h"
#include "core/math/statistics.h"
#include "core/registration/vector_field.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sulcus::registration {
namespace {

constexpr int kQuantiles = 64;

/// The values for which counts(i) is true, in their order.
template <class Counts>
std::vector<float> selected(const std::vector<float>& values, const Counts& counts) {
  const auto count = std::int64_t(values.size());
  std::vector<std::size_t> ends(std::size_t((count + kVoxelsPerBlock - 1) / kVoxelsPerBlock));
  parallelForBlocks(count, kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    std::size_t sum = 0;
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) sum += counts(i) ? 1 : 0;
    ends[std::size_t(begin / kVoxelsPerBlock)] = sum;
  });
  for (std::size_t b = 1; b < ends.size(); ++b) ends[b] += ends[b - 1];
  std::vector<float> result(ends.empty() ? 0 : ends.back());
  parallelForBlocks(count, kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    const auto block = std::size_t(begin / kVoxelsPerBlock);
    float* next = result.data() + (block > 0 ? ends[block - 1] : 0);
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
      if (counts(i)) *next++ = values[i];
  });
  return result;
}

/// The values in the mask that are above the threshold.
std::vector<float> foreground(const std::vector<float>& values, const std::vector<std::uint8_t>& mask,
                              double threshold) {
  return selected(values, [&](std::size_t i) { return mask[i] && values[i] > threshold; });
}

std::vector<float> sorted(std::vector<float> values) {
  parallelSort(values);
  return values;
}

struct MeanAndSpread {
  double mean, spread;
};
MeanAndSpread meanAndSpread(const std::vector<float>& values) {
  const auto count = std::int64_t(values.size());
  const auto sum =
      blockSums<1>(count, kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end, auto& s) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i) s[0] += values[i];
      });
  const double mean = sum[0] / double(count);
  const auto squares =
      blockSums<1>(count, kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end, auto& s) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
          s[0] += (values[i] - mean) * (values[i] - mean);
      });
  return {mean, std::sqrt(squares[0] / double(count))};
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

Extremes extremes(const std::vector<float>& values, const std::vector<std::uint8_t>& mask) {
  const auto count = std::int64_t(values.size());
  std::vector<Extremes> blocks(std::size_t((count + kVoxelsPerBlock - 1) / kVoxelsPerBlock));
  parallelForBlocks(count, kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    Extremes block;
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      block.low = mask[i] && values[i] < block.low ? values[i] : block.low;
      block.high = mask[i] && values[i] > block.high ? values[i] : block.high;
    }
    blocks[std::size_t(begin / kVoxelsPerBlock)] = block;
  });
  Extremes all;
  for (const Extremes& block : blocks)
    all.low = std::min(all.low, block.low), all.high = std::max(all.high, block.high);
  return all;
}

double foregroundThreshold(const std::vector<float>& values, const std::vector<std::uint8_t>& mask) {
  const auto [sum, n] = blockSums<2>(std::int64_t(values.size()), kVoxelsPerBlock, {},
                                     [&](std::int64_t begin, std::int64_t end, auto& sums) {
                                       for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
                                         if (mask[i]) sums[0] += values[i], ++sums[1];
                                     });
  return n > 0 ? sum / n : 0;
}

double foregroundQuantile(const std::vector<float>& values, const std::vector<std::uint8_t>& mask,
                          double threshold, double share) {
  const auto above = foreground(values, mask, threshold);
  return above.empty() ? threshold : parallelQuantile(above, share);
}

void matchIntensities(std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& mask, IntensityMatch match) {
  if (match == IntensityMatch::off) return;
  const double referenceThreshold = foregroundThreshold(reference, mask);
  auto referenceValues = foreground(reference, mask, referenceThreshold);
  // Both images show the same object, so the same share of the template is foreground, whatever its contrast.
  const auto compared = foreground(moving, mask, -INFINITY);
  const double share = 1 - double(referenceValues.size()) / double(std::max<std::size_t>(compared.size(), 1));
  const double movingThreshold = compared.empty() ? 0 : parallelQuantile(compared, share);
  auto movingValues = selected(compared, [&](std::size_t i) { return compared[i] > movingThreshold; });
  if (movingValues.empty() || referenceValues.empty()) return;

  if (match == IntensityMatch::linear) {
    const auto from = meanAndSpread(movingValues), to = meanAndSpread(referenceValues);
    const double slope = from.spread > 0 ? to.spread / from.spread : 1;
    parallelFor(
        std::int64_t(moving.size()), Progress(),
        [&](std::int64_t i) {
          float& v = moving[std::size_t(i)];
          v = float(to.mean + slope * (v - from.mean));
        },
        65536);
    return;
  }
  movingValues = sorted(std::move(movingValues)), referenceValues = sorted(std::move(referenceValues));
  const auto knots = knotsOf(movingValues, extremes(moving, mask).low, movingThreshold, referenceValues,
                             extremes(reference, mask).low, referenceThreshold);
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
