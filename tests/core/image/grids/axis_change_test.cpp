#include "core/image/grids/axis_change.h"

#include "tests/support/expect_error.h"
#include "tests/support/grid.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

using test::expectError;

TEST(AxisChange, IsWrittenAndReadAsText) {
  for (const char* text : {"x y z", "-x y z", "y -x z", "-z x -y"}) EXPECT_EQ(axesText(axesFrom(text)), text);
  EXPECT_EQ(axesText(axesFrom("-x  y z")), "-x y z");
  EXPECT_TRUE(axesFrom("x y z").asGiven());
  EXPECT_EQ(describeChange(axesFrom("y x -z")), "x and y exchanged, z flipped");
  for (const char* text : {"", "x y", "x x z", "x y z x", "--x y z", "x y w", "x y -", "x,y,z"})
    expectError([&] { axesFrom(text); }, {"is not a permutation of the axes"});
}

TEST(AxisChange, FollowsAnother) {
  const AxisChange first = axesFrom("y -x z"), second = axesFrom("-z y x");
  const Vec3<double> v{1, 2, 3};
  EXPECT_EQ(changed(followed(first, second), v), changed(second, changed(first, v)));
}

TEST(AxisChange, TurnsDirectionsAlongTheAxesOfTheImage) {
  Grid grid = test::gridOf({1, 1, 1}, {2, 2, 2});
  const double c = std::cos(0.5), s = std::sin(0.5);  // the image is rotated by half a radian about z
  grid.worldFromVoxel.m = {{{2 * c, -2 * s, 0}, {2 * s, 2 * c, 0}, {0, 0, 2}}};
  const Vec3<double> alongX{c, s, 0}, alongY{-s, c, 0};
  GradientTable table;
  table.rows = {{0, {}}, {1000, alongX}, {1000, alongY}};
  const GradientTable flipped = withAxisChange(table, grid, axesFrom("-x y z"));
  EXPECT_NEAR(norm(flipped.rows[1].directionWorld + alongX), 0, 1e-12);
  EXPECT_NEAR(norm(flipped.rows[2].directionWorld - alongY), 0, 1e-12);
  EXPECT_EQ(flipped.source, "; x flipped (image axes)");
  Series<float> peaks(grid, 6, std::numeric_limits<float>::quiet_NaN());
  for (int i = 0; i < 3; ++i) peaks.at(0, i) = float(2 * alongX[i]);
  const Series<float> exchanged = withAxisChange(peaks, axesFrom("y x z"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(exchanged.at(0, i), 2 * alongY[i], 1e-6);
    EXPECT_TRUE(std::isnan(exchanged.at(0, 3 + i)));
  }
}

}  // namespace
}  // namespace sulcus
