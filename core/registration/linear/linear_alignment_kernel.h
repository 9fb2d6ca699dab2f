#pragma once

#include "core/image/grids/interpolate.h"
#include "core/registration/similarity/mutual_information_kernel.h"

// The work of the pre-alignment at one sample, for CPU and GPU. A sample is a position in one of the two
// images with the bin of the image's value there; a linear map takes it to the other image, whose
// interpolated value enters the joint histogram of mutual_information_kernel.h.

namespace sulcus::registration {

/// A position in an image, in voxels, and the histogram bin of the value there.
struct AlignSample {
  float x, y, z;
  std::uint8_t bin;
};

/// The map p ↦ M p + t of positions, both in voxels, by rows (M | t).
struct VoxelMap {
  float rows[3][4];
};

/// The other image at the position that a sample is mapped to.
struct MovedSample {
  float value;
  float slope[3];  ///< per voxel of that image
  bool compared;   ///< else the position lies outside of the image or where it is not compared
};

/// @param values    one per voxel, x fastest
/// @param compared  one per voxel, 0 where the image is not compared; null: compared everywhere
SULCUS_HD_INLINE MovedSample movedSample(const AlignSample& s, const VoxelMap& map, const Vec3<int>& size,
                                         const float* values, const std::uint8_t* compared) {
  Vec3<float> p;
  for (int i = 0; i < 3; ++i) {
    const float* const row = map.rows[i];
    p[i] =
        fusedMultiplyAdd(row[0], s.x, fusedMultiplyAdd(row[1], s.y, fusedMultiplyAdd(row[2], s.z, row[3])));
  }
  if (!isInImage(size, p)) return {0, {0, 0, 0}, false};
  const Cell<float> c = cellAt(size, p.x, p.y, p.z);
  const auto toNearest = [](float f, auto step) { return f > 0.5f ? step : 0; };
  if (compared && !compared[c.corner + toNearest(c.fx, c.dx) + toNearest(c.fy, c.dy) + toNearest(c.fz, c.dz)])
    return {0, {0, 0, 0}, false};
  const float* const v = values + c.corner;
  const auto found = interpolatedWithSlope(
      c, [&](int x, int y, int z) { return v[x * c.dx + y * c.dy + z * c.dz]; },
      [](float f, float a, float b) { return interpolatedBetween(f, a, b); });
  return {found.value, {found.dx, found.dy, found.dz}, true};
}

/// Number of sums for a sample's derivative of the negative information with respect to the entries of the
/// VoxelMap, by rows.
inline constexpr int kSlopeSums = 12;

/// Adds this derivative to kSlopeSums sums.
///
/// @param slope  the derivative with respect to the value of the other image
SULCUS_HD_INLINE void addSlope(const AlignSample& s, const MovedSample& moved, float slope, double* sums) {
  const float place[4] = {s.x, s.y, s.z, 1};
  for (int r = 0; r < 3; ++r) {
    const float along = slope * moved.slope[r];
    for (int c = 0; c < 4; ++c) sums[4 * r + c] += double(along * place[c]);
  }
}

/// Number of sums of products of two of these derivatives: for each pair of rows in ascending order, for each
/// pair of columns likewise.
inline constexpr int kSquareSums = 60;

/// Adds these products to kSquareSums sums.
SULCUS_HD_INLINE void addSquare(const AlignSample& s, const MovedSample& moved, float slope, double* sums) {
  const double place[4] = {s.x, s.y, s.z, 1};
  int n = 0;
  for (int r = 0; r < 3; ++r)
    for (int q = r; q < 3; ++q) {
      const double along = double(slope) * slope * moved.slope[r] * moved.slope[q];
      for (int c = 0; c < 4; ++c)
        for (int d = c; d < 4; ++d, ++n) sums[n] = fusedMultiplyAdd(along, place[c] * place[d], sums[n]);
    }
}

}  // namespace sulcus::registration
