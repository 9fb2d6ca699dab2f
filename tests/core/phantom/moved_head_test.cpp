#include "core/phantom/moved_head.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

TEST(MovedHead, IsTheSameHeadWhereverItLies) {
  MovedHead head;
  head.size = {24, 28, 16};
  head.spacing = {7, 7, 8};
  const auto moved = head.scan({{}, {{7, 0, 0}, {}}});
  const Grid grid = head.grid();
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    if (v.x + 1 < grid.size.x)
      ASSERT_NEAR(moved.at(i, 0), moved.at(grid.index(v.x + 1, v.y, v.z), 1), 1e-3) << "a voxel to the right";
  }
}

TEST(MovedHead, IsBrighterWhereItIsActive) {
  MovedHead head;
  head.size = {24, 28, 16};
  head.spacing = {7, 7, 8};
  head.activation = 2;
  head.active = {0, 1};
  const auto series = head.scan(std::vector<preparation::Motion>(2));
  double most = 0;
  for (std::int64_t i = 0; i < series.grid.voxels(); ++i) {
    EXPECT_GE(series.at(i, 1), series.at(i, 0));
    if (series.at(i, 0) > 0) most = std::max(most, double(series.at(i, 1)) / double(series.at(i, 0)) - 1);
  }
  EXPECT_NEAR(most, 0.02, 1e-4);
}

TEST(MovedHead, MovesByTheGivenDistance) {
  for (const double mm : {0.0, 0.5, 3.0}) {
    double farthest = 0;
    for (const auto& one : walkOf(30, mm, 4)) farthest = std::max(farthest, norm(one.shift));
    EXPECT_NEAR(farthest, mm, 1e-9);
  }
  EXPECT_EQ(norm(walkOf(5, 2, 1).front().shift), 0) << "from rest";
  EXPECT_EQ(walkOf(1, 2, 1).size(), 1u);
}

}  // namespace
}  // namespace sulcus::phantom
