#pragma once

#include "core/image/grid.h"

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace sulcus {

/// Which voxels are neighbors: those that share a face, an edge or a corner at least.
enum class Connectivity { faces, edges, corners };

/// Along how many axes neighbors may differ.
constexpr int axesOf(Connectivity connectivity) { return int(connectivity) + 1; }

/// How many neighbors a voxel has, 6, 18 or 26, and the inverse.
constexpr int neighborCount(Connectivity connectivity) {
  constexpr int kCounts[] = {6, 18, 26};
  return kCounts[int(connectivity)];
}
constexpr Connectivity connectivityOf(int neighbors) {
  if (neighbors == 6) return Connectivity::faces;
  return neighbors == 18 ? Connectivity::edges : Connectivity::corners;
}

/// Calls visit(index) for the neighbors of a voxel in a grid.
template <class Visit>
void forNeighbors(const Grid& grid, const Vec3<int>& voxel, Connectivity connectivity, const Visit& visit) {
  const Vec3<int>& size = grid.size;
  const std::int64_t own = grid.index(voxel.x, voxel.y, voxel.z);
  for (int z = -int(voxel.z > 0); z <= int(voxel.z + 1 < size.z); ++z)
    for (int y = -int(voxel.y > 0); y <= int(voxel.y + 1 < size.y); ++y) {
      const int left = axesOf(connectivity) - std::abs(y) - std::abs(z);  // axes that may still differ
      if (left < 0) continue;
      const std::int64_t row = own + size.x * (y + std::int64_t(size.y) * z);
      for (int x = -int(left > 0 && voxel.x > 0); x <= int(left > 0 && voxel.x + 1 < size.x); ++x)
        if (x != 0 || y != 0 || z != 0) visit(row + x);
    }
}

/// Visits every voxel that is connected to `start` through voxels for which `inside` holds. `visit` must make
/// `inside` false. Returns how many voxels there are.
template <class Inside, class Visit>
std::int64_t floodFill(const Grid& grid, std::int64_t start, Connectivity connectivity, const Inside& inside,
                       const Visit& visit) {
  std::vector<std::int64_t> front{start};
  visit(start);
  const auto add = [&](std::int64_t next) {
    if (!inside(next)) return;
    visit(next);
    front.push_back(next);
  };
  std::int64_t count = 0;
  for (; !front.empty(); ++count) {
    const Vec3<int> at = grid.voxel(front.back());
    front.pop_back();
    forNeighbors(grid, at, connectivity, add);
  }
  return count;
}

}  // namespace sulcus
