#pragma once

#include "core/image/grids/interpolate.h"
#include "core/tracts/form_kernel.h"

#include <cstdint>

// The field that lines follow, at any position: the functions or peaks of the eight voxels around it.

namespace sulcus::tracts {

/// A field of directions for both processors; owns nothing. Each voxel with data has a row of numbers: the
/// entries of a form times their multiplicities, or peaks as unit direction and amplitude, four numbers each.
/// Row 0 is zero and belongs to all other voxels.
struct FieldView {
  const std::int32_t* rowOf;  ///< of each voxel
  const float* rows;
  int stride;  ///< numbers in a row, a multiple of 4; rows are aligned to 16 bytes
  int peaks;   ///< in a row; 0: it holds a form
  Vec3<int> size;
  float voxelFromWorld[3][4];

  SULCUS_HD_INLINE Vec3<float> voxelAt(const Vec3<float>& p) const {
    const auto along = [&](const float(&m)[4]) {
      return fusedMultiplyAdd(m[0], p.x, fusedMultiplyAdd(m[1], p.y, fusedMultiplyAdd(m[2], p.z, m[3])));
    };
    return {along(voxelFromWorld[0]), along(voxelFromWorld[1]), along(voxelFromWorld[2])};
  }
};

/// The rows around a position and their trilinear weights.
struct Surroundings {
  float w[8];
  const float* row[8];
};

/// False outside the image.
SULCUS_HD_INLINE bool surroundingsOf(const FieldView& field, const Vec3<float>& p, Surroundings& around) {
  const Vec3<float> at = field.voxelAt(p);
  if (!isInImage(field.size, at)) return false;
  const auto corners = cornersOf(cellAt<std::int64_t>(field.size, at.x, at.y, at.z));
  SULCUS_UNROLL
  for (int c = 0; c < 8; ++c) {
    around.w[c] = corners.w[c];
    around.row[c] = field.rows + std::int64_t(field.rowOf[corners.at[c]]) * field.stride;
  }
  return true;
}

/// The length of a row that holds a form, padded to whole vectors.
SULCUS_HD constexpr int formStride(int order) { return (tensorEntries(order) + 3) / 4 * 4; }

/// The form at a position: formStride(Order) numbers.
template <int Order>
SULCUS_HD_INLINE void interpolatedForm(const Surroundings& around, float* form) {
  constexpr int kStride = formStride(Order);
  const float* row[8];
  SULCUS_UNROLL
  for (int c = 0; c < 8; ++c) row[c] = static_cast<const float*>(__builtin_assume_aligned(around.row[c], 16));
#ifdef __CUDACC__
#pragma unroll
#endif
  for (int u = 0; u < kStride; ++u) {
    float sum = around.w[0] * row[0][u];
    SULCUS_UNROLL
    for (int c = 1; c < 8; ++c) sum = fusedMultiplyAdd(around.w[c], row[c][u], sum);
    form[u] = sum;
  }
}

/// The mean of the peaks of the eight voxels along a direction: of each voxel the nearest peak, if it is
/// within 45°, with the same orientation. Voxels without one contribute 0.
SULCUS_HD_INLINE Way meanPeakAlong(const Surroundings& around, int peaks, const Vec3<float>& along) {
  constexpr float kCosine = 0.70710678f;
  Vec3<float> sum{0, 0, 0};
  for (int c = 0; c < 8; ++c) {
    float best = kCosine, weight = 0;
    Vec3<float> direction{0, 0, 0};
    for (int n = 0; n < peaks; ++n) {
      const float* const peak = around.row[c] + 4 * n;
      const Vec3<float> u{peak[0], peak[1], peak[2]};
      const float cosine = dotOf(u, along), size = magnitude(cosine);
      if (size > best) best = size, direction = u, weight = cosine < 0 ? -peak[3] : peak[3];
    }
    sum = moved(sum, around.w[c] * weight, direction);
  }
  return {unitOf(sum), squareRoot(dotOf(sum, sum))};
}

}  // namespace sulcus::tracts
