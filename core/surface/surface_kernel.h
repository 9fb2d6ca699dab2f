#pragma once

#include "core/math/simd.h"
#include "core/math/vec3.h"
#include "core/surface/patch_axes.h"

#include <cmath>
#include <cstdint>

// The formulas for one pair of patches, or of boxes around patches, for CPU and GPU.

namespace sulcus::surface {

/// The index in a grid of `size` voxels, x fastest, of the voxel nearest to v.
SULCUS_HD_INLINE std::int64_t placeWithin(const Vec3<int>& v, const Vec3<int>& size) {
  const auto nearest = [](int i, int n) {
    if (i < 0) return 0;
    return i < n ? i : n - 1;
  };
  return nearest(v.x, size.x) +
         std::int64_t(size.x) * (nearest(v.y, size.y) + std::int64_t(size.y) * nearest(v.z, size.z));
}

/// The squared distance D = ‖φ[x] − φ[y]‖² of two patches of `size` values in mm, in mm². It is exact for
/// patches of a Band: each difference is exact in float and each square and sum in double, so the eight
/// partial sums affect only the speed.
SULCUS_HD_INLINE double patchDistance(const float* a, const float* b, int size) {
  constexpr int kSums = 8;
  double sums[kSums] = {};
  int i = 0;
  for (; i + kSums <= size; i += kSums)
    for (int l = 0; l < kSums; ++l) {
      const double difference = double(a[i + l] - b[i + l]);
      sums[l] += difference * difference;
    }
  for (; i < size; ++i) {
    const double difference = double(a[i] - b[i]);
    sums[0] += difference * difference;
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// The rank of a neighbor of an element: the less different patch comes first, then the closer voxel, then
/// the lower index.
struct PatchRank {
  double patch;            ///< D of the patches, mm²
  double squaredDistance;  ///< of the voxels, mm²
  std::int32_t index;      ///< index of the neighbor in the band

  friend SULCUS_HD_INLINE bool operator<(const PatchRank& a, const PatchRank& b) {
    if (a.patch != b.patch) return a.patch < b.patch;
    if (a.squaredDistance != b.squaredDistance) return a.squaredDistance < b.squaredDistance;
    return a.index < b.index;
  }
};

/// The squared distance between two voxels, mm². It is rounded identically on CPU and GPU, since it decides
/// between equally different patches.
SULCUS_HD_INLINE double squaredVoxelDistance(Vec3<int> a, Vec3<int> b, Vec3<double> spacing) {
  const double x = spacing.x * (a.x - b.x), y = spacing.y * (a.y - b.y), z = spacing.z * (a.z - b.z);
  return fusedMultiplyAdd(x, x, fusedMultiplyAdd(y, y, z * z));
}

/// The weight of a pair, exp(−squaredDistance / c₁ − D / c₂). All arguments are in mm²; `patch` is D, and c₁
/// and c₂ may be infinite.
SULCUS_HD_INLINE float patchWeight(double squaredDistance, double patch, double c1, double c2) {
  return float(::exp(-squaredDistance / c1 - patch / c2));
}

/// dt of the heat flow, 1 / (largest sum of a row); 0 without weights. With symmetric weights a sum counts as
/// at least the number of neighbors: where few are similar, each voxel keeps part of its own value.
SULCUS_HD_INLINE double heatStepOver(double largestSum, bool symmetric, int neighbors) {
  if (!(largestSum > 0)) return 0;
  return 1 / (symmetric && largestSum < neighbors ? double(neighbors) : largestSum);
}

/// The bounding box of some patches along the leading axes, mm. low > high if there are none.
struct AxisBox {
  float low[kLeadingAxes], high[kLeadingAxes];
};

/// The squared distance along the leading axes between the box from `low` to `high`, which may be a point,
/// and another box, mm². Up to axisRounding() it is a lower bound of D for two patches in them.
SULCUS_HD_INLINE float squaredGap(const float* low, const float* high, const AxisBox& box) {
  float sum = 0;
  for (int k = 0; k < kLeadingAxes; ++k) {
    const float gap = larger(larger(low[k] - box.high[k], box.low[k] - high[k]), 0.f);
    sum += gap * gap;
  }
  return sum;
}
SULCUS_HD_INLINE float squaredGap(const AxisBox& a, const AxisBox& b) { return squaredGap(a.low, a.high, b); }

/// The largest rounding error of a distance along the leading axes if no |coordinate| exceeds `largest`, mm.
/// Both coordinates along each axis, their difference and the sum are rounded by half a unit in the last
/// place each; 16 leaves a wide margin.
SULCUS_HD_INLINE float axisRounding(float largest) { return 16 * 1.1920929e-7f * largest; }

}  // namespace sulcus::surface
