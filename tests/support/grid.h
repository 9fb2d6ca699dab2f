#pragma once

#include "core/image/grid.h"

namespace sulcus::test {

/// A grid along the world's axes: `spacing` in mm, negative if an axis runs to the left, back or down;
/// `origin` in mm.
inline Grid gridOf(const Vec3<int>& size, const Vec3<double>& spacing, const Vec3<double>& origin = {}) {
  Grid grid;
  grid.size = size;
  for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = spacing[i];
  grid.worldFromVoxel.t = origin;
  return grid;
}

}  // namespace sulcus::test
