#pragma once

#include "core/math/vec3.h"

namespace sulcus {

/// One of the eight corners of a grid of `size` voxels, 0 … 7, as a position in voxels: along axis a the
/// center of the last voxel if bit a of `corner` is set, else that of the first.
inline Vec3<double> cornerOf(const Vec3<int>& size, int corner) {
  Vec3<double> at;
  for (int axis = 0; axis < 3; ++axis)
    if (corner >> axis & 1) at[axis] = size[axis] - 1.0;
  return at;
}

}  // namespace sulcus
