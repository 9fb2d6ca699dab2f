#pragma once

#include "core/image/grid.h"

#include <cmath>
#include <cstdint>

namespace sulcus {

/// Index of the voxel that contains a position (mm, RAS+), or -1 outside of the grid.
inline std::int64_t indexAt(const Grid& grid, const Vec3<double>& p_in_world) {
  const Vec3<double> p = grid.worldFromVoxel.inverse().point(p_in_world);
  if (!std::isfinite(p.x + p.y + p.z) || std::abs(p.x) + std::abs(p.y) + std::abs(p.z) > 1e6) return -1;
  const int x = int(std::lround(p.x)), y = int(std::lround(p.y)), z = int(std::lround(p.z));
  return grid.contains(x, y, z) ? grid.index(x, y, z) : -1;
}

}  // namespace sulcus
