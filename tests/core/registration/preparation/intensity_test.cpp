#include "core/registration/preparation/intensity.h"

#include "tests/support/for_each_seed.h"

#include <cmath>

namespace sulcus::registration {
namespace {

/// An image with one half background and one half foreground from 0.5 to 1.5.
struct Images {
  std::vector<float> moving, reference;
  std::vector<std::uint8_t> all;
  template <class Contrast>
  Images(int n, const Contrast& contrast) : all(std::size_t(n), 1) {
    test::Rng rng(1);
    for (int i = 0; i < n; ++i) {
      const double tissue = i % 2 ? rng.uniform(0.5, 1.5) : rng.uniform(0, 0.02);
      reference.push_back(float(tissue));
      moving.push_back(float(contrast(tissue)));
    }
  }
};

double largestDifference(const Images& images) {
  double largest = 0;
  for (std::size_t i = 0; i < images.moving.size(); ++i)
    largest = std::max(largest, std::abs(double(images.moving[i]) - images.reference[i]));
  return largest;
}

TEST(IntensityMatching, ByHistogramUndoesAnyRisingContrast) {
  Images images(4000, [](double t) { return 300 * t * t + 20; });
  matchIntensities(images.moving, images.reference, images.all, IntensityMatch::histogram);
  EXPECT_LE(largestDifference(images), 0.02);
}

TEST(IntensityMatching, LinearUndoesScaleAndOffset) {
  Images images(4000, [](double t) { return 70 * t + 11; });
  matchIntensities(images.moving, images.reference, images.all, IntensityMatch::linear);
  EXPECT_LE(largestDifference(images), 1e-4);
}

TEST(ObjectRadius, IsTheSpreadOfItsPointsWhateverTheVoxels) {
  for (const double voxel : {0.1, 2.0}) {
    Grid grid;
    grid.size = {41, 41, 41};
    for (int a = 0; a < 3; ++a) grid.worldFromVoxel.m[std::size_t(a)][std::size_t(a)] = voxel;
    std::vector<std::uint8_t> ball(std::size_t(grid.voxels()));
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const Vec3<int> v = grid.voxel(i);
      ball[std::size_t(i)] = std::hypot(v.x - 20, v.y - 20, v.z - 20) < 15;
    }
    EXPECT_NEAR(objectRadius(ball, grid), 15 * voxel / std::sqrt(5), 0.1 * voxel);
  }
  EXPECT_EQ(objectRadius({0, 0, 0, 0}, Grid{{2, 2, 1}, {}}), 0);
}

TEST(IntensityMatching, OffLeavesEverything) {
  Images images(100, [](double t) { return 70 * t + 11; });
  const auto before = images.moving;
  matchIntensities(images.moving, images.reference, images.all, IntensityMatch::off);
  EXPECT_EQ(images.moving, before);
}

TEST(IntensityMatching, LearnsFromTheCountingVoxelsOnly) {
  Images images(4000, [](double t) { return 2 * t; });
  for (std::size_t i = 0; i < 1000; ++i) images.all[i] = 0, images.reference[i] = 77;
  matchIntensities(images.moving, images.reference, images.all, IntensityMatch::histogram);
  for (std::size_t i = 1000; i < 4000; ++i) EXPECT_NEAR(images.moving[i], images.reference[i], 0.03);
}

TEST(IntensityMatching, KeepsTheOrderOfFewLevels) {
  // Two tissues have integer values, as in 8-bit scans, so that quantiles coincide.
  std::vector<float> moving, reference;
  for (int i = 0; i < 1000; ++i) {
    const int tissue = i % 4;
    moving.push_back(float(tissue * 10)), reference.push_back(float(tissue * tissue * 7));
  }
  const std::vector<std::uint8_t> all(1000, 1);
  auto matched = moving;
  matchIntensities(matched, reference, all, IntensityMatch::histogram);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(std::isfinite(matched[std::size_t(i)]));
    for (int k = 0; k < 8; ++k)
      if (moving[std::size_t(i)] < moving[std::size_t(k)]) {
        EXPECT_LT(matched[std::size_t(i)], matched[std::size_t(k)]);
      }
  }
}

TEST(ForegroundQuantile, IsThatOfWhatIsAboveTheMean) {
  std::vector<float> values;
  for (int i = 0; i < 100; ++i) values.push_back(0), values.push_back(float(100 + i));
  const std::vector<std::uint8_t> all(200, 1);
  const double threshold = foregroundThreshold(values, all);
  EXPECT_NEAR(threshold, 74.75, 1e-9);
  EXPECT_NEAR(foregroundQuantile(values, all, threshold, 0.98), 100 + 0.98 * 99, 1e-4);
  EXPECT_EQ(foregroundQuantile(values, all, threshold, 0), 100);
}

TEST(IntensityMap, IsLinearBetweenItsKnotsAndConstantBeyond) {
  IntensityMap map;
  EXPECT_EQ(map.of(-3.25f), -3.25f) << "nothing is changed at first";
  map.count = 3, map.knots[0] = {0, 10}, map.knots[1] = {1, 12}, map.knots[2] = {3, 20};
  for (const auto& [from, to] : std::vector<std::pair<float, float>>{
           {-5, 10}, {0, 10}, {0.5f, 11}, {1, 12}, {2, 16}, {2.5f, 18}, {3, 20}, {100, 20}})
    EXPECT_EQ(map.of(from), to) << from;
}

TEST(Brightness, GoesFromTheDarkestVoxelToThePercentileOfTheForeground) {
  std::vector<float> values;
  std::vector<std::uint8_t> mask(400, 1);
  for (int i = 0; i < 100; ++i) values.insert(values.end(), {-0.0f, float(100 + i)});
  values.insert(values.end(), 200, -1000.f);
  std::fill(mask.begin() + 200, mask.end(), std::uint8_t(0));  // darker, but not compared
  const Brightness brightness = brightnessOf(values, mask);
  EXPECT_FALSE(std::signbit(brightness.lowest));
  EXPECT_EQ(brightness.lowest, 0);
  EXPECT_NEAR(brightness.threshold, 74.75, 1e-9);
  EXPECT_NEAR(brightness.scale, 100 + 0.98 * 99, 1e-4);
  EXPECT_NEAR(brightness.of(float(brightness.scale)), 1, 1e-6);
}

TEST(Brightness, OfAnImageWithoutForegroundIsThatOfItsMean) {
  const Brightness brightness = brightnessOf(std::vector<float>(10, 3), std::vector<std::uint8_t>(10, 1));
  EXPECT_EQ(brightness.threshold, 3);
  EXPECT_EQ(brightness.scale, 0);
}

}  // namespace
}  // namespace sulcus::registration
