#include "ui/scene/glyphs/glyphs.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

Grid tiltedGrid() {
  Grid grid;
  grid.size = {9, 7, 5};
  const double c = std::cos(0.3), s = std::sin(0.3);
  grid.worldFromVoxel.m = {{{-2 * c, 2.5 * s, 0}, {2 * s, 2.5 * c, 0.2}, {0, 0.3, 4}}};
  grid.worldFromVoxel.t = {5, -6, 7};
  return grid;
}

TEST(DirectionColor, IsRedAcrossGreenForwardsAndBlueUpwardsWhateverTheSign) {
  using Color = std::array<std::uint8_t, 3>;
  EXPECT_EQ(directionColor({-1, 0, 0}), (Color{255, 0, 0}));
  EXPECT_EQ(directionColor({0, 1, 0}), (Color{0, 255, 0}));
  EXPECT_EQ(directionColor({0, 0, -1}), (Color{0, 0, 255}));
  EXPECT_EQ(directionColor({0.6f, -0.8f, 0}), (Color{153, 204, 0}));
}

TEST(VoxelsOnPlane, AreThoseWithinHalfAStepOfThePlane) {
  const Grid grid = tiltedGrid();
  const Vec3<double> normal = normalized(Vec3<double>{0.1, -0.2, 1}), point = grid.center();
  const double half = 0.5 * std::abs(dot(grid.worldFromVoxel.column(2), normal));
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const auto p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    if (std::abs(dot(p - point, normal)) <= half) expected.push_back(i);
  }
  EXPECT_EQ(voxelsOnPlane(grid, point, normal), expected);
  EXPECT_EQ(expected.size(), 63u) << "the plane crosses every line of voxels along the third axis";
}

TEST(VoxelsOnPlane, AreNoneBesideTheGrid) {
  EXPECT_TRUE(voxelsOnPlane(tiltedGrid(), {0, 0, 500}, {0, 0, 1}).empty());
}

TEST(VoxelsOnPlane, AreOneLayerAlsoHalfwayBetweenTwo) {
  Grid grid;
  grid.size = {3, 3, 4};
  EXPECT_EQ(voxelsOnPlane(grid, {0, 0, 1.5}, {0, 0, 1}).size(), 9u);
  EXPECT_EQ(voxelsOnPlane(grid, {0, 0, 1.5}, {0, 0, -1}), voxelsOnPlane(grid, {0, 0, 1.5}, {0, 0, 1}));
}

TEST(ThinnedVoxels, AreOneInNSpreadEvenly) {
  Grid grid;
  grid.size = {60, 60, 60};
  for (const int oneIn : {2, 3, 4, 7, 16, 50}) {
    const auto kept = thinned(grid, allVoxels(grid), oneIn);
    EXPECT_NEAR(double(kept.size()) * oneIn, 216000, 216000 * 0.05) << oneIn;
    int octants[8] = {};
    for (const std::int64_t i : kept) {
      const Vec3<int> v = grid.voxel(i);
      ++octants[(v.x >= 30) + 2 * (v.y >= 30) + 4 * (v.z >= 30)];
    }
    for (const int count : octants) EXPECT_NEAR(count * oneIn, 27000, 2700) << oneIn;
  }
}

TEST(ThinnedVoxels, AreAsManyInEachPlane) {
  Grid grid;
  grid.size = {60, 60, 60};
  for (int oneIn = 2; oneIn <= 64; ++oneIn) {
    std::vector<int> planes(180);
    for (const std::int64_t i : allVoxels(grid, oneIn)) {
      const Vec3<int> v = grid.voxel(i);
      ++planes[std::size_t(v.x)], ++planes[std::size_t(60 + v.y)], ++planes[std::size_t(120 + v.z)];
    }
    for (const int count : planes)
      EXPECT_NEAR(count, 3600.0 / oneIn, 62) << oneIn;  // up to one row more or less
  }
}

TEST(ThinnedVoxels, AreTheSameWhenTakenFromAllAndWhenListedAtOnce) {
  Grid grid;
  grid.size = {17, 12, 9};
  for (const int oneIn : {1, 2, 5, 16, 40})
    EXPECT_EQ(allVoxels(grid, oneIn), thinned(grid, allVoxels(grid), oneIn)) << oneIn;
}

TEST(ThinnedVoxels, AreAllForOneInOne) {
  Grid grid;
  grid.size = {3, 4, 5};
  EXPECT_EQ(thinned(grid, allVoxels(grid), 1).size(), 60u);
}

TEST(Sticks, AreCenteredInTheVoxelAlongThePeakAndAsLongAsItsShareOfTheReference) {
  const Grid grid = tiltedGrid();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Series<float> peaks(grid, 6, nan);
  const std::int64_t voxel = grid.index(4, 3, 2);
  const Vec3<float> direction{0.6f, 0, 0.8f};
  for (int c = 0; c < 3; ++c) peaks.at(voxel, c) = 0.5f * direction[c];
  Sticks sticks;
  appendSticks(peaks, allVoxels(grid), 1, 1, sticks);
  ASSERT_EQ(sticks.count(), 1);
  const auto end = [&](int i) {
    return Vec3<double>{sticks.points[3 * i], sticks.points[3 * i + 1], sticks.points[3 * i + 2]};
  };
  const Vec3<double> along = end(1) - end(0), middle = 0.5 * (end(0) + end(1));
  EXPECT_LT(norm(middle - grid.worldFromVoxel.point({4, 3, 2})), 1e-5);
  EXPECT_NEAR(norm(along), 0.5 * grid.spacing().x, 1e-5) << "half of the smallest edge";
  EXPECT_NEAR(along.x / norm(along), 0.6, 1e-5);
  EXPECT_NEAR(along.z / norm(along), 0.8, 1e-5);
}

TEST(Sticks, StayInTheirVoxelWhateverTheAmplitude) {
  Grid grid;
  grid.size = {1, 1, 1};
  Series<float> peaks(grid, 3);
  peaks.at(0, 0) = 1000;
  Sticks sticks;
  appendSticks(peaks, {0}, 1, 1, sticks);
  ASSERT_EQ(sticks.count(), 1);
  EXPECT_FLOAT_EQ(sticks.points[0], -0.5f);
  EXPECT_FLOAT_EQ(sticks.points[3], 0.5f);
}

TEST(ReferenceAmplitude, IsNotShrunkByAnOutlier) {
  Grid grid;
  grid.size = {10, 10, 10};
  Series<float> peaks(grid, 3);
  for (std::int64_t i = 0; i < 1000; ++i) peaks.at(i, 2) = 2;
  peaks.at(17, 2) = 1000;
  EXPECT_FLOAT_EQ(float(referenceAmplitude(peaks)), 2);
  EXPECT_EQ(referenceAmplitude(Series<float>(grid, 3, NAN)), 0);
}

}  // namespace
}  // namespace sulcus::ui::scene
