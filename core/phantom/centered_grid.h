#pragma once

#include "core/image/grid.h"

namespace sulcus::phantom {

/// A grid along RAS+ whose center is the origin.
///
/// @param spacing  mm
inline Grid centeredGrid(const Vec3<int>& size, const Vec3<double>& spacing) {
  Grid grid;
  grid.size = size;
  for (int i = 0; i < 3; ++i) {
    grid.worldFromVoxel.m[i][i] = spacing[i];
    grid.worldFromVoxel.t[i] = -0.5 * spacing[i] * (size[i] - 1);
  }
  return grid;
}
inline Grid centeredCube(int size, double spacing) {
  return centeredGrid({size, size, size}, {spacing, spacing, spacing});
}

}  // namespace sulcus::phantom
