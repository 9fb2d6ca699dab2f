#include "core/image/grids/slice_turn.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(SliceTurn, StaysAtRightAnglesHoweverOftenItTurns) {
  SliceTurn turn;
  const Vec3<double> axis = normalized(Vec3<double>{1, -2, 3});
  for (int step = 0; step < 36'000; ++step) turn = turnedAbout(turn, axis, 2 * std::numbers::pi / 36'000);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(norm(turn.axes[i] - SliceTurn().axes[i]), 0, 1e-9) << "once around";
    EXPECT_NEAR(norm(turn.axes[i]), 1, 1e-15);
    EXPECT_NEAR(dot(turn.axes[i], turn.axes[(i + 1) % 3]), 0, 1e-15);
  }
}

TEST(SliceTurn, IsNoneWhereThereAreNoThreeNormals) {
  EXPECT_EQ(soundTurn({{{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}), SliceTurn());
  EXPECT_EQ(soundTurn({{{{1, 0, 0}, {0, 1, 0}, {NAN, 0, 1}}}}), SliceTurn());
  EXPECT_EQ(soundTurn({{{{1, 0, 0}, {0, 1, 0}, {1, 0, 0}}}}), SliceTurn());
  EXPECT_EQ(soundTurn({{{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}), SliceTurn()) << "mirrored";
}

TEST(SliceTurn, FollowsTheVoxelsOfAnImageTurnedAsLittleAsPossible) {
  // Sagittal slices of a head that nods: the first voxel axis points back, the second up, the third to the
  // left.
  const double c = std::cos(0.2), s = std::sin(0.2);
  Grid grid;
  grid.size = {4, 4, 4};
  grid.worldFromVoxel.m = {{{0, 0, -3}, {-2 * c, -2 * s, 0}, {-2 * s, 2 * c, 0}}};
  const SliceTurn turn = alongVoxels(grid);
  EXPECT_NEAR(norm(turn.axes[0] - Vec3<double>{1, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(turn.axes[1] - Vec3<double>{0, c, s}), 0, 1e-15);
  EXPECT_NEAR(norm(turn.axes[2] - Vec3<double>{0, -s, c}), 0, 1e-15);
  EXPECT_EQ(alongVoxels(Grid()), SliceTurn());
}

}  // namespace
}  // namespace sulcus
