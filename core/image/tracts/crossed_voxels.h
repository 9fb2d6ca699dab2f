#pragma once

#include "core/image/grid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace sulcus {

inline Vec3<double> inVoxels(const Affine& voxelFromWorld, const Vec3<float>& p) {
  return voxelFromWorld.point({p.x, p.y, p.z});
}

/// The voxel of the grid in which both positions lie, in voxels.
inline std::optional<std::int64_t> commonVoxel(const Grid& grid, const Vec3<double>& a,
                                               const Vec3<double>& b) {
  const auto nearest = [](const Vec3<double>& p) {
    return Vec3<double>{std::floor(p.x + 0.5), std::floor(p.y + 0.5), std::floor(p.z + 0.5)};
  };
  const Vec3<double> at = nearest(a);
  if (!(at == nearest(b) && at.x >= 0 && at.y >= 0 && at.z >= 0)) return {};
  if (!(at.x < grid.size.x && at.y < grid.size.y && at.z < grid.size.z)) return {};
  return grid.index(int(at.x), int(at.y), int(at.z));
}

/// From where to where, as shares of the way, a segment from `a` lies in the grid; to < from if nowhere.
inline std::pair<double, double> partInGrid(const Grid& grid, const Vec3<double>& a,
                                            const Vec3<double>& way) {
  std::pair<double, double> part{0, 1};
  for (int axis = 0; axis < 3; ++axis) {
    const double low = -0.5 - a[axis], high = grid.size[axis] - 0.5 - a[axis];
    if (way[axis] == 0) {
      if (!(low <= 0 && high > 0)) return {1, 0};
      continue;
    }
    const double first = low / way[axis], second = high / way[axis];
    part.first = std::max(part.first, std::min(first, second));
    part.second = std::min(part.second, std::max(first, second));
  }
  return part;
}

/// The axis of the smallest component; of equal ones the last.
inline int axisOfLeast(const Vec3<double>& v) {
  const int first = v.x < v.y ? 0 : 1;
  return v[first] < v.z ? first : 2;
}

/// Calls visit(index, share) for each voxel of the grid that the segment from a to b crosses, in voxels, with
/// the share of the segment that lies in it (Amanatides & Woo, Eurographics 1987).
template <class Visit>
void crossedVoxels(const Grid& grid, const Vec3<double>& a, const Vec3<double>& b, const Visit& visit) {
  if (const auto only = commonVoxel(grid, a, b)) return visit(*only, 1.0);
  const Vec3<double> way = b - a;
  const auto [from, to] = partInGrid(grid, a, way);
  if (!(from <= to)) return;
  Vec3<int> voxel;
  Vec3<double> next{}, perVoxel{};
  for (int axis = 0; axis < 3; ++axis) {
    voxel[axis] = std::clamp(int(std::floor(a[axis] + from * way[axis] + 0.5)), 0, grid.size[axis] - 1);
    const double border = voxel[axis] + (way[axis] > 0 ? 0.5 : -0.5);
    next[axis] = way[axis] == 0 ? std::numeric_limits<double>::infinity() : (border - a[axis]) / way[axis];
    perVoxel[axis] = way[axis] == 0 ? 0 : 1 / std::abs(way[axis]);
  }
  for (double at = from;;) {
    const int axis = axisOfLeast(next);
    const double end = std::min(next[axis], to);
    visit(grid.index(voxel.x, voxel.y, voxel.z), std::max(0.0, end - at));
    at = end;
    if (!(next[axis] < to)) return;
    voxel[axis] += way[axis] > 0 ? 1 : -1;
    if (voxel[axis] < 0 || voxel[axis] >= grid.size[axis]) return;
    next[axis] += perVoxel[axis];
  }
}

}  // namespace sulcus
