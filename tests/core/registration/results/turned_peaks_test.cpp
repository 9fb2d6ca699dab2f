#include "core/registration/results/turned_peaks.h"

#include "tests/support/grid.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

using test::gridOf;

/// x + displacement(x) = map(x).
Series<float> fieldOf(const Grid& grid, const Affine& map) {
  Series<float> field(grid, 3);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> x = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    for (int c = 0; c < 3; ++c) field.at(i, c) = float((map.point(x) - x)[c]);
  }
  return field;
}

TEST(TurnedPeaks, FollowTheTissueTheyRunAlong) {
  const Grid grid = gridOf({8, 8, 8}, {2, 2, 3});
  Affine map;  // the image is the result rotated by 30° about z and stretched to twice its size along y
  const double c = std::cos(0.5236), s = std::sin(0.5236);
  map.m = {{{c, -s, 0}, {2 * s, 2 * c, 0}, {0, 0, 1}}};
  const Vec3<double> middle = grid.center();
  map.t = middle - map.vector(middle);
  Series<float> peaks(grid, 6, NAN);
  for (std::int64_t i = 0; i < grid.voxels(); ++i)
    peaks.at(i, 0) = 0, peaks.at(i, 1) = 0.5f, peaks.at(i, 2) = 0;
  const auto turned = turnedPeaks(peaks, fieldOf(grid, map), {});
  ASSERT_EQ(turned.count, 6);
  const std::int64_t at = grid.index(4, 4, 4);
  // A direction along y of the image comes from map⁻¹ (0, 1, 0).
  const Vec3<double> from = map.inverse().vector({0, 1, 0});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(turned.at(at, k), 0.5 * from[k] / norm(from), 1e-5);
  EXPECT_TRUE(std::isnan(turned.at(at, 3))) << "no second direction";
  EXPECT_TRUE(std::isnan(turned.at(grid.index(7, 0, 0), 0))) << "outside of the image";
}

TEST(TurnedPeaks, OfAnOtherGridAreThoseOfTheNearestVoxel) {
  const Grid fine = gridOf({8, 8, 8}, {2, 2, 2}), coarse = gridOf({4, 4, 4}, {4, 4, 4});
  Series<float> peaks(coarse, 3);
  for (std::int64_t i = 0; i < coarse.voxels(); ++i) peaks.at(i, 2) = float(i);
  const auto turned = turnedPeaks(peaks, Series<float>(fine, 3), {});
  EXPECT_EQ(turned.at(fine.index(4, 2, 2), 2), float(coarse.index(2, 1, 1)));
}

}  // namespace
}  // namespace sulcus::registration
