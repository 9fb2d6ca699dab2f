#include "core/registration/preparation/resample.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/grid.h"

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using test::gridOf;

/// A linear function of the world position, which trilinear interpolation reproduces.
float linear(const Vec3<double>& p) { return float(2 + 0.5 * p.x - 0.25 * p.y + 0.125 * p.z); }
Series<float> linearImage(const Grid& grid) {
  Series<float> image(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const auto v = grid.voxel(i);
    image.at(i, 0) = linear(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}));
  }
  return image;
}

TEST(Resampling, ReadsTheImageAtWorldPositionsWhateverTheOrientation) {
  const Series<float> image = linearImage(gridOf({20, 21, 22}, {-1, 2, 1.5}, {10, -20, -16}));
  Grid grid = gridOf({6, 5, 4}, {1, 1, 1}, {-2, 1, -1});
  grid.worldFromVoxel.m = {{{0, 1, 0}, {0, 0, 2}, {1.5, 0, 0}}};  // its axes are exchanged
  Affine affine;
  affine.m = {{{0.9, 0.1, 0}, {-0.1, 1, 0.2}, {0, 0, 1.1}}};
  affine.t = {1, 2, -1};
  const auto result =
      resampled({image.grid, image.volume(0)}, grid, affine, {Interpolation::linear, -99}, nullptr, {});
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const auto v = grid.voxel(i);
    const auto p = affine.point(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}));
    EXPECT_NEAR(result.values[std::size_t(i)], linear(p), 1e-5);
  }
}

TEST(Resampling, SaysWhatTheImageCoversAndContinuesItsEdgeWhenAsked) {
  const Series<float> image = linearImage(gridOf({4, 4, 4}, {1, 1, 1}));
  const Grid grid = gridOf({8, 4, 4}, {1, 1, 1});
  Mask covered;
  const auto cut =
      resampled({image.grid, image.volume(0)}, grid, {}, {Interpolation::linear, -7}, &covered, {});
  const auto continued =
      resampled({image.grid, image.volume(0)}, grid, {}, {Interpolation::linear}, nullptr, {});
  for (int x = 0; x < 8; ++x) {
    EXPECT_EQ(covered(x, 1, 2), x < 4);
    EXPECT_EQ(cut(x, 1, 2), x < 4 ? image.at(image.grid.index(x, 1, 2), 0) : -7);
    EXPECT_EQ(continued(x, 1, 2), image.at(image.grid.index(std::min(x, 3), 1, 2), 0));
  }
}

TEST(Resampling, OfLabelsInventsNone) {
  test::Rng rng(1);
  Series<float> labels(gridOf({6, 6, 6}, {1, 1, 1}), 1);
  for (auto& v : labels.values) v = float(10 * rng.integer(1, 3));
  Series<float> displacement(labels.grid, 3);
  for (auto& v : displacement.values) v = float(rng.uniform(-0.49, 0.49));
  for (const auto how : {Interpolation::nearest, Interpolation::label})
    for (const float v : displaced(labels, displacement, how, 0, {}).values)
      EXPECT_TRUE(v == 10 || v == 20 || v == 30 || v == 0);
}

TEST(Resampling, GivesAPlaceTheLabelWithTheLargestShare) {
  Series<float> labels(gridOf({2, 2, 1}, {1, 1, 1}), 1);
  labels.values = {1, 2, 2, 3};
  Series<float> displacement(labels.grid, 3);
  displacement.at(0, 0) = 0.4f,
                     displacement.at(0, 1) = 0.4f;  // weights: 0.36 of label 1, 0.48 of 2, 0.16 of 3
  EXPECT_EQ(displaced(labels, displacement, Interpolation::label, 0, {}).at(0, 0), 2);
  EXPECT_EQ(displaced(labels, displacement, Interpolation::nearest, 0, {}).at(0, 0), 1);
}

TEST(Displacing, MovesAllVolumesByMillimetersInTheWorld) {
  Series<float> image = linearImage(gridOf({10, 10, 10}, {-2, 2, 2}));
  Series<float> two(image.grid, 2);
  for (std::int64_t i = 0; i < image.grid.voxels(); ++i)
    two.at(i, 0) = image.at(i, 0), two.at(i, 1) = -image.at(i, 0);
  const Grid like = gridOf({3, 3, 3}, {1, 1, 1}, {-10, 5, 6});
  Series<float> displacement(like, 3);
  for (std::int64_t i = 0; i < like.voxels(); ++i)
    displacement.at(i, 0) = 1.5f, displacement.at(i, 1) = -0.5f, displacement.at(i, 2) = 2;
  const auto moved = displaced(two, displacement, Interpolation::linear, 0, {});
  ASSERT_EQ(moved.count, 2);
  for (std::int64_t i = 0; i < like.voxels(); ++i) {
    const auto v = like.voxel(i);
    const Vec3<double> p{v.x - 10 + 1.5, v.y + 5 - 0.5, v.z + 6 + 2.0};
    EXPECT_NEAR(moved.at(i, 0), linear(p), 1e-5);
    EXPECT_NEAR(moved.at(i, 1), -linear(p), 1e-5);
  }
}

TEST(Displacing, RefusesWhatIsNotADisplacement) {
  const Series<float> image = linearImage(gridOf({4, 4, 4}, {1, 1, 1}));
  test::expectError([&] { displaced(image, Series<float>(image.grid, 2), Interpolation::linear, 0, {}); },
                    {"has 2 volumes"});
  Series<float> broken(image.grid, 3);
  broken.values[7] = NAN;
  EXPECT_THROW(displaced(image, broken, Interpolation::linear, 0, {}), Error);
}

}  // namespace
}  // namespace sulcus::registration
