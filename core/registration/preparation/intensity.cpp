#include "core/registration/preparation/intensity.h"

#include "core/base/parallel/lane_sums.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/parallel_quantile.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/similarity/intensity_match.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sulcus::registration {
namespace {

/// The values for which counts(i) is true, in order.
template <class Value, class Counts>
std::vector<float> selected(std::span<Value> values, const Counts& counts) {
  const auto count = std::int64_t(values.size());
  std::vector<std::size_t> ends((count + kVoxelsPerBlock - 1) / kVoxelsPerBlock);
  parallelForBlocks(count, kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    std::size_t sum = 0;
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) sum += counts(i) ? 1 : 0;
    ends[begin / kVoxelsPerBlock] = sum;
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

template <class Value>
Extremes extremesOf(std::span<Value> values, const std::vector<std::uint8_t>& mask) {
  const auto count = std::int64_t(values.size());
  std::vector<Extremes> blocks((count + kVoxelsPerBlock - 1) / kVoxelsPerBlock);
  parallelForBlocks(count, kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    Extremes block;
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      block.low = mask[i] && values[i] < block.low ? values[i] : block.low;
      block.high = mask[i] && values[i] > block.high ? values[i] : block.high;
    }
    blocks[begin / kVoxelsPerBlock] = block;
  });
  Extremes all;
  for (const Extremes& block : blocks)
    all.low = std::min(all.low, block.low), all.high = std::max(all.high, block.high);
  return all;
}

/// The Values of intensity_match.h. For an image that is not changed, `Value` is const float.
template <class Value>
class MaskedValues {
 public:
  MaskedValues(std::span<Value> values, const std::vector<std::uint8_t>& mask)
      : values_(values), mask_(mask) {}

  CountAndSum above(double threshold) const {
    const auto voxels = std::int64_t(values_.size());
    const auto count =
        blockSums<1>(voxels, kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end, auto& sum) {
          int n = 0;
          for (auto i = std::size_t(begin); i < std::size_t(end); ++i) n += isAbove(i, threshold) ? 1 : 0;
          sum[0] += n;
        });
    const auto sum = laneSums<1>(voxels, {}, [&](std::int64_t i, auto& sums) {
      addValue(isAbove(std::size_t(i), threshold), values_[i], sums[0]);
    });
    return {count[0], sum[0]};
  }
  double squaresAbove(double threshold, double mean) const {
    return laneSums<1>(std::int64_t(values_.size()), {}, [&](std::int64_t i, auto& sums) {
      addSquaredDistance(isAbove(std::size_t(i), threshold), values_[i], mean, sums[0]);
    })[0];
  }
  std::vector<double> quantilesAbove(double threshold, const std::vector<double>& shares) const {
    std::vector<float> found = selected<Value>(values_, [&](std::size_t i) { return isAbove(i, threshold); });
    if (shares.size() == 1) return {parallelQuantile(found, shares.front())};
    parallelSort(found);
    std::vector<double> quantiles;
    for (const double share : shares) {
      const QuantileRank rank = quantileRank(share, std::int64_t(found.size()));
      quantiles.push_back(rank.between(found[rank.low], found[rank.high]));
    }
    return quantiles;
  }
  float lowest() const { return extremesOf<Value>(values_, mask_).low; }
  template <class Map>
  void change(const Map& map) {
    parallelFor(std::ssize(values_), 65536, {}, [&](std::int64_t i) { values_[i] = map.of(values_[i]); });
  }

 private:
  /// Without a branch, so that loops vectorize.
  bool isAbove(std::size_t i, double threshold) const { return (mask_[i] != 0) & (values_[i] > threshold); }

  std::span<Value> values_;
  const std::vector<std::uint8_t>& mask_;
};

}  // namespace

Extremes extremes(const std::vector<float>& values, const std::vector<std::uint8_t>& mask) {
  return extremesOf<const float>(values, mask);
}

double objectRadius(const std::vector<std::uint8_t>& region, const Grid& grid) {
  const Vec3<double> spacing = grid.spacing();
  const auto sums =
      blockSums<7>(grid.voxels(), kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end, auto& sum) {
        for (std::int64_t i = begin; i < end; ++i) {
          if (!region[i]) continue;
          const Vec3<int> v = grid.voxel(i);
          ++sum[0];
          for (int a = 0; a < 3; ++a) sum[1 + a] += v[a], sum[4 + a] += double(v[a]) * v[a];
        }
      });
  double squares = 0;
  int axes = 0;
  for (int a = 0; a < 3; ++a) {
    if (grid.size[a] < 2) continue;
    const double mean = sums[1 + a] / std::max(1.0, sums[0]);
    squares += (sums[4 + a] / std::max(1.0, sums[0]) - mean * mean) * spacing[a] * spacing[a];
    ++axes;
  }
  return std::sqrt(std::max(0.0, squares) / std::max(1, axes));
}

double foregroundThreshold(const std::vector<float>& values, const std::vector<std::uint8_t>& mask) {
  MaskedValues<const float> masked(values, mask);
  return foregroundThreshold(masked);
}

double foregroundQuantile(const std::vector<float>& values, const std::vector<std::uint8_t>& mask,
                          double threshold, double share) {
  const MaskedValues<const float> masked(values, mask);
  return masked.above(threshold).count > 0 ? masked.quantilesAbove(threshold, {share}).front() : threshold;
}

Brightness brightnessOf(const std::vector<float>& values, const std::vector<std::uint8_t>& mask) {
  MaskedValues<const float> masked(values, mask);
  return brightnessOf(masked);
}

void matchIntensities(std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& mask, IntensityMatch match) {
  MaskedValues<const float> from(moving, mask), to(reference, mask);
  if (const auto map = intensityMap(from, to, match)) MaskedValues<float>(moving, mask).change(*map);
}

void matchAndScale(std::vector<float>& moving, std::vector<float>& reference,
                   const std::vector<std::uint8_t>& mask, const Brightness& ofReference, IntensityMatch match,
                   bool own) {
  MaskedValues<float> from(moving, mask), to(reference, mask);
  matchAndScale(from, to, ofReference, match, own);
}

}  // namespace sulcus::registration
