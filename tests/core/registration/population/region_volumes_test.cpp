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

TEST(RegionChanges, SayHowManyPeopleShowASlowing) {
  // Changes of −3, −5 and −4 %: mean −4, s.d. 1; n80 = 2 · 2.8016² · 1 / 1² = 15.70.
  const std::vector<std::map<Label, double>> volumes{{{5, 97.}}, {{5, 95.}}, {{5, 96.}}};
  const auto changes = regionChanges(volumes, {{5, 100.}});
  EXPECT_NEAR(changes.at(5).mean, -4, 1e-9);
  EXPECT_NEAR(changes.at(5).deviation, 1, 1e-9);
  EXPECT_NEAR(changes.at(5).sampleSize, 15.70, 0.01);
}

}  // namespace
}  // namespace sulcus::registration
