#include "core/image/grid.h"

#include "tests/support/for_each_seed.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Grid unitGrid(int x, int y, int z) {
  Grid grid;
  grid.size = {x, y, z};
  return grid;
}

TEST(Grid, IndexAndVoxelAreInverse) {
  const Grid grid = unitGrid(3, 4, 5);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    ASSERT_TRUE(grid.contains(v.x, v.y, v.z));
    ASSERT_EQ(grid.index(v.x, v.y, v.z), i);
  }
  EXPECT_EQ(grid.index(1, 0, 0), 1);  // x runs fastest
  EXPECT_FALSE(grid.contains(3, 0, 0));
  EXPECT_FALSE(grid.contains(0, -1, 0));
}

TEST(Grid, SpacingIsTheLengthOfTheAxes) {
  Grid grid = unitGrid(2, 2, 2);
  grid.worldFromVoxel.m = {{{0, -2, 0}, {3, 0, 0}, {0, 0, 4}}};
  EXPECT_EQ(grid.spacing(), (Vec3<double>{3, 2, 4}));
  EXPECT_EQ(orientationCode(grid), "ALS");
  EXPECT_EQ(describeGrid(grid), "2 × 2 × 2 voxels of 3 × 2 × 4 mm");
}

TEST(Grid, OtherGridsSayHowTheyDiffer) {
  Grid grid, shifted, larger;
  grid.size = shifted.size = {10, 10, 10};
  shifted.worldFromVoxel.t = {1.5, 0, 0};
  EXPECT_EQ(otherGrid(shifted, grid), "10 × 10 × 10 voxels of 1 × 1 × 1 mm, up to 1.5 mm away from those");
  larger.size = {12, 10, 10};
  EXPECT_EQ(otherGrid(larger, grid),
            "12 × 10 × 10 voxels of 1 × 1 × 1 mm instead of 10 × 10 × 10 voxels of 1 × 1 × 1 mm");
  shifted.worldFromVoxel.m[0] = {-1, 0, 0};
  shifted.worldFromVoxel.t = {9, 0, 0};
  EXPECT_EQ(otherGrid(shifted, grid),
            "10 × 10 × 10 voxels of 1 × 1 × 1 mm with axes LAS instead of RAS, up to 9 mm away from those");
}

TEST(Grid, OrientationCodeUsesEveryWorldAxisOnce) {
  test::forEachSeed(200, [](test::Rng& rng) {
    Grid grid = unitGrid(2, 2, 2);
    do {
      for (auto& row : grid.worldFromVoxel.m)
        for (double& entry : row) entry = rng.uniform(-1, 1);
    } while (std::abs(grid.worldFromVoxel.determinant()) < 1e-3);
    const std::string code = orientationCode(grid);
    EXPECT_EQ(code.find_first_of("RL") != std::string::npos, true) << code;
    EXPECT_EQ(code.find_first_of("AP") != std::string::npos, true) << code;
    EXPECT_EQ(code.find_first_of("SI") != std::string::npos, true) << code;
  });
}

TEST(Grid, SameGridForgivesRoundingAndNothingElse) {
  const Grid a = unitGrid(10, 10, 10);
  Grid b = a;
  b.worldFromVoxel.t.x = 5e-4;
  EXPECT_TRUE(sameGrid(a, b));
  b.worldFromVoxel.t.x = 0.01;
  EXPECT_FALSE(sameGrid(a, b));
  b = a;
  b.worldFromVoxel.m[0][0] = 1.001;  // 9 thousandths at the far corner
  EXPECT_FALSE(sameGrid(a, b));
  b = a;
  b.size.z = 11;
  EXPECT_FALSE(sameGrid(a, b));
}

}  // namespace
}  // namespace sulcus
