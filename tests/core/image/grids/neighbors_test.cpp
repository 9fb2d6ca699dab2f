#include "core/image/grids/neighbors.h"

#include <algorithm>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Grid cube(int edge) {
  Grid grid;
  grid.size = {edge, edge, edge};
  return grid;
}

std::set<std::int64_t> neighborsOf(const Grid& grid, const Vec3<int>& voxel, Connectivity connectivity) {
  std::set<std::int64_t> found;
  forNeighbors(grid, voxel, connectivity, [&](std::int64_t i) { EXPECT_TRUE(found.insert(i).second); });
  return found;
}

TEST(Neighbors, ShareAFaceAnEdgeOrACorner) {
  const Grid grid = cube(3);
  for (const Connectivity connectivity : {Connectivity::faces, Connectivity::edges, Connectivity::corners}) {
    const auto found = neighborsOf(grid, {1, 1, 1}, connectivity);
    EXPECT_EQ(int(found.size()), neighborCount(connectivity));
    EXPECT_EQ(connectivityOf(neighborCount(connectivity)), connectivity);
    EXPECT_FALSE(found.contains(grid.index(1, 1, 1)));
  }
}

TEST(Neighbors, LieWithinTheGrid) {
  const Grid grid = cube(2);
  EXPECT_EQ(neighborsOf(grid, {0, 0, 0}, Connectivity::faces), (std::set<std::int64_t>{1, 2, 4}));
  EXPECT_EQ(neighborsOf(grid, {1, 1, 1}, Connectivity::corners).size(), 7u);
}

TEST(Neighbors, FloodFillGoesAroundCornersIfTheyConnect) {
  const Grid grid = cube(3);
  for (const auto& [connectivity, count] : {std::pair(Connectivity::faces, 1), {Connectivity::corners, 3}}) {
    std::vector<bool> open(27, false);
    for (int i = 0; i < 3; ++i) open[std::size_t(grid.index(i, i, i))] = true;
    EXPECT_EQ(floodFill(
                  grid, 0, connectivity, [&](std::int64_t i) { return open[std::size_t(i)]; },
                  [&](std::int64_t i) { open[std::size_t(i)] = false; }),
              count);
    EXPECT_EQ(std::count(open.begin(), open.end(), true), 3 - count);
  }
}

}  // namespace
}  // namespace sulcus
