#include "core/registration/linear/linear_frame.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

/// A box of 11 × 21 × 5 voxels of 1 × 2 × 3 mm around (5, −10, 2) mm.
Series<float> box() {
  Grid grid;
  grid.size = {41, 51, 31};
  for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[std::size_t(i)][std::size_t(i)] = i + 1;
  grid.worldFromVoxel.t = {5 - 20, -10 - 2 * 25, 2 - 3 * 15};
  Series<float> image(grid, 1, 3);
  for (int z = -2; z <= 2; ++z)
    for (int y = -10; y <= 10; ++y)
      for (int x = -5; x <= 5; ++x) image.volume(0)(20 + x, 25 + y, 15 + z) = 100;
  return image;
}

/// The variance of the integers −n…n.
double variance(int n) { return n * (n + 1) / 3.0; }

TEST(FrameOf, IsCenterAndCovarianceOfTheObject) {
  const ObjectFrame frame = frameOf(box(), "box", {});
  EXPECT_NEAR(norm(frame.center - Vec3<double>{5, -10, 2}), 0, 1e-9);
  const double x = variance(5), y = 4 * variance(10), z = 9 * variance(2);
  const double variances[3] = {x, y, z};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(frame.covariance[i][j], i == j ? variances[i] : 0, 1e-9);
  EXPECT_NEAR(frame.unit * frame.unit, (x + y + z) / 3, 1e-9);
  EXPECT_NEAR(frame.shape()[1][1], 3 * y / (x + y + z), 1e-9);
}

TEST(FrameOf, RefusesASingleVoxel) {
  Series<float> image = box();
  image.volume(0)(3, 3, 3) = 1e9F;
  EXPECT_THROW(frameOf(image, "box", {}), Error);
}

TEST(ObjectFrame, OfAPlaneHasNoWidthAlongItsNormal) {
  Grid grid;
  grid.size = {32, 1, 24};
  Series<float> image(grid, 1);
  for (int z = 8; z < 16; ++z)
    for (int x = 8; x < 24; ++x) image.volume(0)(x, 0, z) = 1;
  ObjectFrame frame = frameOf(image, "plane", {});
  EXPECT_EQ(frame.dimensions, 2);
  alignToPlane(frame, grid, nullptr);
  const Matrix3 shape = frame.shape();
  EXPECT_EQ(shape[2][2], 1);
  EXPECT_NEAR(shape[0][0] + shape[1][1], 2, 1e-9);
  EXPECT_NEAR(shape[0][0] / shape[1][1], (16 * 16 - 1) / (8 * 8 - 1.0), 1e-9);
}

}  // namespace
}  // namespace sulcus::registration
