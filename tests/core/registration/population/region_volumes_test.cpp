#include "core/registration/population/region_volumes.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

TEST(RegionVolumes, AreThoseOfTheAtlasTimesTheVolumeRatio) {
  Grid grid;
  grid.size = {4, 2, 1};
  for (std::size_t i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = i == 0 ? -2 : 1.5;
  Volume<Label> atlas(grid);
  atlas.values = {0, 5, 5, 9000000000, 0, 5, 7, 7};
  Volume<float> logJacobian(grid);
  logJacobian.values = {9, 0, float(std::log(2.0)), -1, 9, NAN, 0, 0};
  const auto volumes = regionVolumes(logJacobian, atlas);
  ASSERT_EQ(volumes.size(), 3u);
  EXPECT_NEAR(volumes.at(5), 4.5 * 3, 1e-5);
  EXPECT_NEAR(volumes.at(7), 4.5 * 2, 1e-5);
  EXPECT_NEAR(volumes.at(9000000000), 4.5 * std::exp(-1), 1e-5);
}

}  // namespace
}  // namespace sulcus::registration
