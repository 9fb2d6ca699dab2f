#pragma once

#include "core/image/interpolate.h"
#include "core/registration/mutual_information_body.h"

// What the pre-alignment does at one sample, for CPU and GPU. A sample is a place in one of the two images
// with the bin of the image's value there; a linear map takes it to the other image, whose interpolated value
// enters the joint histogram of mutual_information_body.h.

namespace sulcus::registration {

/// A place in an image, in voxels, and the histogram's bin of the value there.
struct AlignSample {
  float x, y, z;
  std::uint8_t bin;
};

/// The map p ↦ M p + t of places, both in voxels, by rows (M | t).
struct VoxelMap {
  float rows[3][4];
};

/// The other image at the place that a sample is mapped to.
struct MovedSample {
  float value;
  float slope[3];  ///< per voxel of that image
  bool compared;   ///< else it lies outside of the image, or where that is not compared
};

/// @param values    one per voxel, x fastest
/// @param compared  one per voxel, 0 where the image is not compared; null where it is everywhere
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
  if (compared &&
      !compared[c.corner + (c.fx > 0.5f ? c.dx : 0) + (c.fy > 0.5f ? c.dy : 0) + (c.fz > 0.5f ? c.dz : 0)])
    return {0, {0, 0, 0}, false};
  const float* const v = values + c.corner;
  const auto found = interpolatedWithSlope(
      c, [&](int x, int y, int z) { return v[x * c.dx + y * c.dy + z * c.dz]; },
      [](float f, float a, float b) { return interpolatedBetween(f, a, b); });
  return {found.value, {found.dx, found.dy, found.dz}, true};
}

}  // namespace sulcus::registration
