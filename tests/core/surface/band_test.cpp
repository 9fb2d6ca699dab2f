#include "core/surface/band.h"

#include "core/base/error.h"
#include "tests/core/surface/surface_inputs.h"

#include <gtest/gtest.h>

namespace sulcus::surface {
namespace {

TEST(Band, HoldsTheVoxelsNearTheSurfaceInOrder) {
  const auto phi = quantized(test::noisyBall(20, 0), {});
  const Band band = bandOf(phi, 2, 3);
  std::size_t next = 0;
  for (std::int64_t i = 0; i < phi.grid.voxels(); ++i) {
    const bool near = std::abs(phi.values[std::size_t(i)]) <= 2;
    if (!near) continue;
    ASSERT_LT(next, band.voxels.size());
    EXPECT_EQ(band.voxels[next++], i);
  }
  EXPECT_EQ(next, band.voxels.size());
  EXPECT_GT(next, 1000u);
}

TEST(Band, RepeatsTheNearestVoxelPastTheGrid) {
  Grid grid;
  grid.size = {3, 2, 1};
  Volume<float> phi(grid);
  for (std::size_t i = 0; i < phi.values.size(); ++i) phi.values[i] = 0.25f * float(i);
  const Band band = bandOf(phi, 0.1, 3);
  ASSERT_EQ(band.voxels, std::vector<std::int64_t>{0});
  const Patches patches = patchesOf(band, {});
  const float expected[9] = {0, 0, 0.25f, 0, 0, 0.25f, 0.75f, 0.75f, 1};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 9; ++i) EXPECT_EQ(patches.of(0)[9 * k + i], expected[i]) << i;
}

TEST(Band, StepsAreFarFinerThanAVoxelAndMakeSumsOfSquaresExact) {
  for (const double size : {0.001, 0.7, 2.0}) {
    auto raw = test::noisyBall(24, 0.2 * size, {size, 1.3 * size, size});
    const auto phi = quantized(raw, {});
    for (std::size_t i = 0; i < phi.values.size(); ++i)
      if (std::abs(raw.values[i]) < 16 * size) {
        ASSERT_NEAR(phi.values[i], raw.values[i], 1e-5 * size);
      }
    const Patches patches = patchesOf(bandOf(phi, 2 * size, 7), {});
    for (int e = 1; e < 50; ++e) {
      double forwards = 0, backwards = 0;
      for (int i = 0; i < 343; ++i) {
        const double f = double(patches.of(0)[i]) - patches.of(e)[i],
                     b = double(patches.of(0)[342 - i]) - patches.of(e)[342 - i];
        forwards += f * f, backwards += b * b;
      }
      ASSERT_EQ(forwards, backwards);
    }
  }
}

TEST(Band, SaysWhenThereIsNoSurface) {
  Grid grid;
  grid.size = {4, 4, 4};
  EXPECT_THROW(bandOf(Volume<float>(grid, 9), 3, 5), Error);
}

}  // namespace
}  // namespace sulcus::surface
