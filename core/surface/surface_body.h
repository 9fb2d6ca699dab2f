#pragma once

#include "core/math/pack.h"
#include "core/math/vec3.h"

#include <cmath>
#include <cstdint>

// Formulas of one pair of patches, for CPU and GPU.

namespace sulcus {

/// D = ‖φ[x] − φ[y]‖², mm². Exact for patches of a Band: each difference is exact in float, each square and
/// sum in double, so the sums side by side change nothing but the speed.
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

/// What ranks the neighbours of an element: the less different patch, then the nearer voxel, then the lower
/// index.
struct PatchRank {
  double patch;        ///< D
  double way;          ///< squared distance of the voxels, mm²
  std::int32_t index;  ///< of the element

  friend SULCUS_HD_INLINE bool operator<(const PatchRank& a, const PatchRank& b) {
    if (a.patch != b.patch) return a.patch < b.patch;
    if (a.way != b.way) return a.way < b.way;
    return a.index < b.index;
  }
};

/// Squared length of a step between voxels, mm². Rounded alike everywhere, as it decides between ties.
SULCUS_HD_INLINE double squaredWay(Vec3<int> a, Vec3<int> b, Vec3<double> spacing) {
  const double x = spacing.x * (a.x - b.x), y = spacing.y * (a.y - b.y), z = spacing.z * (a.z - b.z);
  return fusedMultiplyAdd(x, x, fusedMultiplyAdd(y, y, z * z));
}

/// Weight of a pair at squared distance `way` whose patches differ by D: exp(−way / c₁ − D / c₂).
SULCUS_HD_INLINE float patchWeight(double way, double patch, double c1, double c2) {
  return float(::exp(-way / c1 - patch / c2));
}

}  // namespace sulcus
