#include "core/phantom/fibers_phantom.h"

#include "core/base/error.h"
#include "core/fibers/models/models.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

Vec3<double> fiberAt(const FibersPhantom& phantom, std::int64_t voxel, int fiber) {
  const auto& t = *phantom.truth;
  return {t.at(voxel, 3 * fiber), t.at(voxel, 3 * fiber + 1), t.at(voxel, 3 * fiber + 2)};
}

TEST(FibersPhantom, HasOneFiberOnTheLeftAndCrossingsFrom45To90DegreesOnTheRight) {
  const auto phantom = makeFibersPhantom({});
  EXPECT_EQ(phantom.dwi->grid.size, (Vec3<int>{32, 32, 1}));
  EXPECT_EQ(phantom.dwi->count, 70);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) {
      const auto voxel = phantom.truth->grid.index(x, y, 0);
      const auto first = fiberAt(phantom, voxel, 0), second = fiberAt(phantom, voxel, 1);
      if (x < 8) {
        EXPECT_NEAR(norm(first), 1, 1e-6);
        EXPECT_TRUE(std::isnan(norm(second)));
      } else {
        EXPECT_NEAR(norm(first) + norm(second), 1, 1e-6);
        EXPECT_GE(norm(first), 0.5 - 1e-6);
        EXPECT_LE(norm(first), 0.7 + 1e-6);
        const double angle = std::acos(std::abs(dot(normalized(first), normalized(second)))) * 180 / M_PI;
        EXPECT_NEAR(angle, fibersPhantomAngle(x), 1e-3);
      }
    }
  EXPECT_GT(fibersPhantomAngle(8), 45);
  EXPECT_LT(fibersPhantomAngle(31), 90);
  EXPECT_NEAR(fibersPhantomAngle(16) - fibersPhantomAngle(8), 15, 1e-12);
}

/// A brain of 2 × 1 × 3 voxels of 20 mm from (0, −20, 20) on: white matter, white and gray matter, air.
Series<float> smallBrain() {
  Grid grid;
  grid.size = {3, 1, 2};
  for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = 20;
  grid.worldFromVoxel.t = {0, -20, 20};
  Series<float> tissue(grid, 3);
  for (std::int64_t voxel = 0; voxel < 5; ++voxel) tissue.at(voxel, 2) = 1;
  tissue.at(1, 2) = 0.5f, tissue.at(1, 1) = 0.5f;
  return tissue;
}

TEST(FibersPhantom, OfABrainHasFibersInItsWhiteMatterAlone) {
  FibersPhantomOptions options;
  options.snr = 0;
  const auto phantom = makeFibersPhantom(options, smallBrain());
  EXPECT_EQ(phantom.mask->values, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 0}));
  // The center of the callosum, from side to side, without a crossing.
  const auto callosum = fiberAt(phantom, 0, 0);
  EXPECT_NEAR(std::abs(callosum.x), 1, 1e-6);
  EXPECT_NEAR(norm(fiberAt(phantom, 1, 0)) +
                  (std::isnan(norm(fiberAt(phantom, 1, 1))) ? 0 : norm(fiberAt(phantom, 1, 1))),
              0.5, 1e-6)
      << "half of the voxel is gray matter";
  EXPECT_TRUE(std::isnan(phantom.truth->at(5, 0)));
  EXPECT_EQ(phantom.dwi->at(5, 0), 0) << "air";
  // Across the fibers nearly all of the signal remains, along them hardly any.
  const auto& rows = phantom.gradients.rows;
  for (int v = 6; v < 70; ++v) {
    const double along = dot(rows[std::size_t(v)].directionWorld, callosum);
    EXPECT_NEAR(phantom.dwi->at(0, v) / phantom.dwi->at(0, 0),
                std::exp(-3000 * (0.2e-3 + 1.5e-3 * along * along)), 1e-4);
  }
}

TEST(FibersPhantom, OfABrainNeedsThreeMaps) {
  EXPECT_THROW(makeFibersPhantom({}, Series<float>(smallBrain().grid, 2)), Error);
}

TEST(FibersPhantom, HasEvenGradientsOfTheAskedWeighting) {
  FibersPhantomOptions options;
  options.b = 1000;
  const auto phantom = makeFibersPhantom(options);
  EXPECT_EQ(unweightedVolumes(phantom.gradients).size(), 6u);
  std::vector<Vec3<double>> directions;
  for (const int v : weightedVolumes(phantom.gradients)) {
    EXPECT_EQ(phantom.gradients.rows[std::size_t(v)].b, 1000);
    directions.push_back(phantom.gradients.rows[std::size_t(v)].directionWorld);
  }
  EXPECT_EQ(fibers::distinctDirections(directions), 64);
  EXPECT_TRUE(fibers::determinesOrder(8, directions));
}

TEST(FibersPhantom, WithoutNoiseIsTheSumOfItsFibers) {
  FibersPhantomOptions options;
  options.snr = 0, options.b = 2000;
  const auto phantom = makeFibersPhantom(options);
  for (const std::int64_t voxel : {3, 200, 700, 1023})
    for (const int v : {0, 6, 30, 69}) {
      const auto& row = phantom.gradients.rows[std::size_t(v)];
      double expected = 0;
      for (int f = 0; f < 2; ++f) {
        const auto fiber = fiberAt(phantom, voxel, f);
        if (std::isnan(fiber.x)) continue;
        const double along = dot(normalized(fiber), row.directionWorld);
        expected +=
            1000 * norm(fiber) * std::exp(-row.b * (1.7e-3 * along * along + 0.2e-3 * (1 - along * along)));
      }
      EXPECT_NEAR(phantom.dwi->at(voxel, v), expected, 1e-3);
    }
}

TEST(FibersPhantom, HasRicianNoiseOfTheAskedStrength) {
  FibersPhantomOptions options;
  const auto noisy = makeFibersPhantom(options);
  options.snr = 0;
  const auto clean = makeFibersPhantom(options);
  double mean = 0, square = 0, floor = 0;
  int dark = 0;
  const double sigma = 1000 / 30.0, count = 6 * 1024;
  for (std::int64_t voxel = 0; voxel < 1024; ++voxel) {
    for (int v = 0; v < 6; ++v) {
      const double z = (noisy.dwi->at(voxel, v) - 1000) / sigma;
      mean += z / count, square += z * z / count;
    }
    for (int v = 6; v < 70; ++v)
      if (clean.dwi->at(voxel, v) < 0.3 * sigma) floor += noisy.dwi->at(voxel, v) / sigma, ++dark;
  }
  // Rician noise has the mean S + σ²/2S and the s.d. σ for bright signals, the mean √(π/2) σ for dark ones.
  // The tolerances are 5 standard errors.
  EXPECT_NEAR(mean, 1 / 60.0, 5 / std::sqrt(count));
  EXPECT_NEAR(square, 1, 5 * std::sqrt(2 / count));
  ASSERT_GT(dark, 100);
  EXPECT_NEAR(floor / dark, std::sqrt(M_PI / 2), 5 * 0.66 / std::sqrt(dark) + 0.03);
}

TEST(FibersPhantom, FollowsItsSeed) {
  FibersPhantomOptions options;
  const auto a = makeFibersPhantom(options), b = makeFibersPhantom(options);
  EXPECT_EQ(a.dwi->values, b.dwi->values);
  options.seed = 2;
  EXPECT_NE(a.dwi->values, makeFibersPhantom(options).dwi->values);
}

}  // namespace
}  // namespace sulcus::phantom
