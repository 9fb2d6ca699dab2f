#include "core/registration/preparation/cubic_spline.h"

#include "core/registration/deformation/registration_level.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/results/maps_kernel.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/grid.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

using test::gridOf;

Series<float> noiseOn(const Vec3<int>& size, std::uint64_t seed) {
  test::Rng rng(seed);
  Series<float> image(gridOf(size, {1, 1, 1}), 1);
  for (float& v : image.values) v = float(rng.uniform(-1, 1));
  return image;
}

TEST(CubicSpline, GoesThroughTheVoxels) {
  for (const Vec3<int>& size : {Vec3<int>{9, 7, 8}, {1, 2, 3}, {40, 1, 6}, {2, 2, 2}}) {
    const Series<float> image = noiseOn(size, 1);
    const SplineImage spline(image.values, size, {});
    for (std::int64_t i = 0; i < image.grid.voxels(); ++i)
      EXPECT_NEAR(interpolatedAt(spline.view(), placeOf(image.grid.voxel(i))), image.at(i, 0), 2e-6);
  }
}

TEST(CubicSpline, IsWhatALevelSamplesIfRequested) {
  for (const Vec3<int>& size : {Vec3<int>{9, 7, 8}, {1, 5, 6}, {12, 5, 1}}) {
    LevelImages<float> images{size, {1, 2, 1.5}, noiseOn(size, 3).values, {}, true};
    const SplineImage spline(images.moving, size, {});
    const TemplateSamples<float> cubic = samplesOf(images, {});
    images.cubic = false;
    const TemplateSamples<float> linear = samplesOf(images, {});
    const Vec3<float> inverse = inverseOf<float>(images.spacing);
    test::Rng rng(4);
    for (int i = 0; i < 200; ++i) {
      Vec3<int> voxel;
      Vec3<float> u;
      for (int a = 0; a < 3; ++a)
        voxel[a] = int(rng.uniform(0, size[a] - 1e-6)), u[a] = float(rng.uniform(-3, 3));
      const Texel<float> found = displacedSample(cubic, size, voxel, u, inverse, false),
                         without = displacedSample(linear, size, voxel, u, inverse, false);
      const Vec3<float> place = displacedPlace(voxel, u, inverse);
      EXPECT_EQ(found.v[0], interpolatedAt(spline.view(), Vec3<double>{place.x, place.y, place.z}));
      for (int a = 1; a < 4; ++a) EXPECT_EQ(found.v[a], without.v[a]);
    }
  }
}

TEST(CubicSpline, FollowsAWaveOfSixVoxelsWithinOnePercent) {
  const Vec3<int> size{30, 24, 26};
  const auto wave = [](const Vec3<double>& p) {
    return std::cos(M_PI * p.x / 3) * std::cos(M_PI * p.y / 23);
  };
  std::vector<float> values;
  const Grid grid = gridOf(size, {1, 1, 1});
  for (std::int64_t i = 0; i < grid.voxels(); ++i) values.push_back(float(wave(placeOf(grid.voxel(i)))));
  const SplineImage spline(values, size, {});
  double cubic = 0, linear = 0;
  for (double x = 3; x < 27; x += 0.21) {
    const Vec3<double> p{x, 0.37 * x, 11.5};
    cubic = std::max(cubic, std::abs(interpolatedAt(spline.view(), p) - wave(p)));
    linear =
        std::max(linear, std::abs(interpolatedAt(VolumeView<const float>{values.data(), size}, p) - wave(p)));
  }
  EXPECT_LT(cubic, 0.01);
  EXPECT_GT(linear, 0.1);
}

TEST(CubicSpline, StaysWithinTheRangeAndContinuesTheBorder) {
  Series<float> image(gridOf({12, 12, 12}, {1, 1, 1}), 1);
  for (std::int64_t i = 0; i < image.grid.voxels(); ++i) image.at(i, 0) = image.grid.voxel(i).x < 6 ? 0 : 100;
  const SplineImage spline(image.values, image.grid.size, {});
  for (double x = -3; x < 15; x += 0.1) {
    const float v = interpolatedAt(spline.view(), Vec3<double>{x, 5.5, 3.2});
    EXPECT_TRUE(v >= 0 && v <= 100) << x;
  }
  EXPECT_NEAR(interpolatedAt(spline.view(), Vec3<double>{-40, 5, 5}), 0, 0.1);
}

TEST(CubicSpline, LeavesAnImageOnTheSameVoxelsUnchanged) {
  const Series<float> image = noiseOn({10, 11, 9}, 2);
  const Grid grid = gridOf({6, 6, 6}, {1, 1, 1}, {2, 3, 1});
  const auto at = [&](Interpolation kind) {
    return resampled({image.grid, image.volume(0)}, grid, {}, {kind}, nullptr, {}).values;
  };
  EXPECT_EQ(at(Interpolation::cubic), at(Interpolation::linear));
}

TEST(CubicSpline, DisplacesEachVolumeOfASeries) {
  Series<float> image(gridOf({9, 8, 7}, {2, 2, 2}), 3);
  test::Rng rng(3);
  for (float& v : image.values) v = float(rng.uniform());
  Series<float> displacement(image.grid, 3);
  std::fill(displacement.values.begin(), displacement.values.end(), 0.7F);
  const Series<float> all = displaced(image, displacement, Interpolation::cubic, 0, {});
  for (int k = 0; k < 3; ++k) {
    Series<float> one(image.grid, 1);
    std::copy_n(image.volume(k).data, image.grid.voxels(), one.values.begin());
    const Series<float> alone = displaced(one, displacement, Interpolation::cubic, 0, {});
    for (std::int64_t i = 0; i < image.grid.voxels(); ++i) EXPECT_EQ(all.at(i, k), alone.at(i, 0));
  }
}

}  // namespace
}  // namespace sulcus::registration
