#pragma once

#include "core/math/vec3.h"

namespace sulcus {

/// One of the eight corners of a grid of `size` voxels, 0 … 7, as a position in voxels: along axis a the
/// center of the last voxel if bit a of `corner` is set, else that of the first.
inline Vec3<double> cornerOf(const Vec3<int>& size, int corner) {
  return {corner & 1 ? size.x - 1.0 : 0.0, corner & 2 ? size.y - 1.0 : 0.0, corner & 4 ? size.z - 1.0 : 0.0};
}

}  // namespace sulcus
