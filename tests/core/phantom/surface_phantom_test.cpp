#include "core/phantom/surface_phantom.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

SurfacePhantom phantom(SurfacePhantomKind kind, SurfaceNoise noise, double level, int seed = 1) {
  SurfacePhantomOptions options;
  options.kind = kind, options.noise = noise, options.level = level, options.seed = seed, options.size = 48;
  return makeSurfacePhantom(options);
}

TEST(SurfacePhantom, TruthIsADistance) {
  for (const auto kind : {SurfacePhantomKind::blocks, SurfacePhantomKind::fold}) {
    const auto truth = phantom(kind, SurfaceNoise::rough, 0).truth;
    const Vec3<int> n = truth->grid.size;
    double steepest = 0;
    int near = 0, unit = 0;  // of slope 1: all except near edges
    for (int z = 1; z < n.z - 1; ++z)
      for (int y = 1; y < n.y - 1; ++y)
        for (int x = 1; x < n.x - 1; ++x) {
          const auto& t = *truth;
          steepest = std::max({steepest, std::abs(double(t(x + 1, y, z)) - t(x, y, z)),
                               std::abs(double(t(x, y + 1, z)) - t(x, y, z)),
                               std::abs(double(t(x, y, z + 1)) - t(x, y, z))});
          if (std::abs(t(x, y, z)) > 1) continue;
          const double slope = 0.5 * std::sqrt(std::pow(t(x + 1, y, z) - t(x - 1, y, z), 2) +
                                               std::pow(t(x, y + 1, z) - t(x, y - 1, z), 2) +
                                               std::pow(t(x, y, z + 1) - t(x, y, z - 1), 2));
          ++near, unit += std::abs(slope - 1) < 0.02;
        }
    EXPECT_LE(steepest, 1.0001);
    EXPECT_GT(near, 1000);
    EXPECT_GT(unit, 0.6 * near);
  }
}

TEST(SurfacePhantom, BlocksHaveTheVolumeOfTwoBlocks) {
  const auto mask = phantom(SurfacePhantomKind::blocks, SurfaceNoise::rough, 0).noisy;
  double volume = 0;
  for (const auto v : mask->values) volume += v;
  const double wide = 2 * 0.28 * 48, narrow = 2 * 0.155 * 48, high = 0.28 * 48;
  EXPECT_NEAR(volume, high * (wide * wide + narrow * narrow), 0.12 * volume);
}

TEST(SurfacePhantom, NoiseIsOfTheAskedKindAndSeed) {
  const auto clean = phantom(SurfacePhantomKind::fold, SurfaceNoise::rough, 0);
  const auto speckled = phantom(SurfacePhantomKind::fold, SurfaceNoise::speckle, 1);
  int near = 0, turned = 0;
  for (std::size_t i = 0; i < clean.noisy->values.size(); ++i) {
    const bool other = clean.noisy->values[i] != speckled.noisy->values[i];
    if (std::abs(clean.truth->values[i]) > 3) {
      ASSERT_FALSE(other);
    } else {
      ++near, turned += other;
    }
  }
  EXPECT_NEAR(double(turned) / near, 0.1, 0.01);
  EXPECT_EQ(phantom(SurfacePhantomKind::blocks, SurfaceNoise::rough, 1, 3).noisy->values,
            phantom(SurfacePhantomKind::blocks, SurfaceNoise::rough, 1, 3).noisy->values);
  EXPECT_NE(phantom(SurfacePhantomKind::blocks, SurfaceNoise::rough, 1, 3).noisy->values,
            phantom(SurfacePhantomKind::blocks, SurfaceNoise::rough, 1, 4).noisy->values);
}

}  // namespace
}  // namespace sulcus::phantom
