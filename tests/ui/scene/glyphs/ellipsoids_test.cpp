#include "ui/scene/glyphs/ellipsoids.h"

#include "tests/support/grid.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

/// One voxel of 2 mm at (10, 20, 30) mm.
Series<float> oneTensor(const std::array<float, 6>& entries) {
  Series<float> tensor(test::gridOf({1, 1, 1}, {2, 2, 2}, {10, 20, 30}), 6);
  for (std::size_t e = 0; e < 6; ++e) tensor.at(0, int(e)) = entries[e];
  return tensor;
}

TEST(Ellipsoids, HaveTheSquareRootsOfTheEigenvaluesForHalfAxes) {
  Surfaces surfaces;
  appendEllipsoids(oneTensor({4, 0, 0, 1, 0, 0.25F}), {0}, 3, 1, surfaces);
  float reach[3] = {};
  for (std::size_t i = 0; i < surfaces.points.size(); i += 3) {
    const Vec3<float> p{surfaces.points[i] - 10, surfaces.points[i + 1] - 20, surfaces.points[i + 2] - 30};
    EXPECT_NEAR(p.x * p.x + p.y * p.y / 0.25F + p.z * p.z / 0.0625F, 1, 1e-4) << "on the ellipsoid";
    for (int c = 0; c < 3; ++c) reach[c] = std::max(reach[c], std::abs(p[c]));
    const Vec3<float> n{surfaces.normals[i], surfaces.normals[i + 1], surfaces.normals[i + 2]};
    const Vec3<float> gradient = normalized(Vec3<float>{p.x, p.y / 0.25F, p.z / 0.0625F});
    EXPECT_NEAR(dot(n, gradient), 1, 1e-4) << "and at right angles to it";
  }
  EXPECT_NEAR(reach[0], 1, 0.01) << "the longest reaches the side of the voxel";
  EXPECT_NEAR(reach[1], 0.5, 0.01);
  EXPECT_GT(surfaces.colors[0], surfaces.colors[1]) << "red: left to right";
}

TEST(Ellipsoids, AreGrayBallsWhereNothingIsPreferred) {
  Surfaces surfaces;
  appendEllipsoids(oneTensor({1, 0, 0, 1, 0, 1}), {0}, 1, 1, surfaces);
  ASSERT_FALSE(surfaces.colors.empty());
  EXPECT_EQ(surfaces.colors[0], surfaces.colors[1]);
  EXPECT_EQ(surfaces.colors[1], surfaces.colors[2]);
}

TEST(Ellipsoids, SkipVoxelsWithoutATensor) {
  Surfaces surfaces;
  appendEllipsoids(oneTensor({0, 0, 0, 0, 0, 0}), {0}, 1, 1, surfaces);
  appendEllipsoids(oneTensor({-1, 0, 0, -1, 0, -1}), {0}, 1, 1, surfaces);
  appendEllipsoids(oneTensor({std::nanf(""), 0, 0, 1, 0, 1}), {0}, 1, 1, surfaces);
  appendEllipsoids(Series<float>(test::gridOf({1, 1, 1}, {2, 2, 2}), 15, 1), {0}, 1, 1, surfaces);
  EXPECT_TRUE(surfaces.points.empty());
}

}  // namespace
}  // namespace sulcus::ui::scene
