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
constexpr Connectivity connectivityOf(int neighbors) { return Connectivity((neighbors - 6) / 10); }

/// Calls visit(index) for the neighbors of a voxel in a grid.
template <class Visit>
void forNeighbors(const Grid& grid, const Vec3<int>& voxel, Connectivity connectivity, const Visit& visit) {
  const int axes = axesOf(connectivity);
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const int moved = std::abs(x) + std::abs(y) + std::abs(z);
        const Vec3<int> next = voxel + Vec3<int>{x, y, z};
        if (moved > 0 && moved <= axes && grid.contains(next.x, next.y, next.z))
          visit(grid.index(next.x, next.y, next.z));
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
