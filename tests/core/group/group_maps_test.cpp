#include "core/group/group_maps.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

/// Three voxels in which t is 5, −4 and 1, and ten exchanges whose largest t are 5, 1, 1, …, 1, 4.5.
GroupResult knownResult() {
  GroupResult result;
  result.grid.size = {3, 1, 1};
  result.voxels = {0, 1, 2};
  result.freedom = 20;
  result.design.names = {"mean"};
  result.design.rows.assign(21, {1});
  result.people.assign(21, "somebody");
  ContrastResult contrast;
  contrast.contrast = {"mean", {std::vector<double>{1}}};
  contrast.exchanges = 10, contrast.possible = 1000;
  contrast.t = contrast.tfce = contrast.extent = contrast.mass = contrast.effect = {5, -4, 1};
  contrast.largestT = {5, 1, 1, 1, 1, 1, 1, 1, 1, 4.5f};
  contrast.largestTfce = contrast.largestExtent = contrast.largestMass = contrast.largestT;
  result.contrasts = {contrast};
  return result;
}

const std::vector<float>& valuesOf(const std::vector<Layer>& layers, const std::string& name) {
  for (const Layer& layer : layers)
    if (layer.name == name) return std::get<VolumeLayer>(layer.content).series->values;
  throw std::runtime_error("no " + name);
}

TEST(GroupMaps, HoldThePOfTheLargest) {
  GroupOptions options;
  options.alpha = 0.2;
  const auto layers = groupLayers(knownResult(), options);
  const auto& logP = valuesOf(layers, "logp_voxel_mean");
  EXPECT_NEAR(logP[0], 1, 1e-6) << "one of ten";
  EXPECT_NEAR(logP[1], -std::log10(0.2), 1e-6);
  EXPECT_NEAR(logP[2], 0, 1e-6);
  const auto& shown = valuesOf(layers, "shown_mean");
  EXPECT_EQ(shown[0], 5);
  EXPECT_EQ(shown[1], -4);
  EXPECT_TRUE(std::isnan(shown[2]));
  const auto& z = valuesOf(layers, "z_mean");
  EXPECT_NEAR(z[0], 3.980639, 1e-5) << "exceeded as rarely as t = 5 of 20 degrees of freedom";
  EXPECT_NEAR(z[1], -3.388202, 1e-5);
  EXPECT_THAT(groupSummary(knownResult(), options)[1], testing::HasSubstr("1 voxels above 0, 1 below"));
}

TEST(GroupMaps, FollowTheOptionsThatCanBeAdjusted) {
  GroupOptions options;
  options.alpha = 0.1;
  EXPECT_TRUE(std::isnan(valuesOf(adjustedLayers(knownResult(), options), "shown_mean")[1]));
  options.twoSided = false;
  options.alpha = 0.2;
  EXPECT_TRUE(std::isnan(valuesOf(adjustedLayers(knownResult(), options), "shown_mean")[1])) << "below 0";
  options.correction = Correction::none;
  EXPECT_EQ(valuesOf(adjustedLayers(knownResult(), options), "shown_mean")[2], 1) << "P(t₂₀ > 1) = 0.165";
}

}  // namespace
}  // namespace sulcus::group
