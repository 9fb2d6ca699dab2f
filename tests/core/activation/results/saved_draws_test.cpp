#include "core/activation/results/saved_draws.h"

#include "core/activation/results/activation_maps.h"
#include "core/base/error.h"
#include "core/phantom/activation_phantom.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

const Series<float>& mapNamed(const std::vector<Layer>& layers, const std::string& name) {
  for (const auto& layer : layers)
    if (layer.name == name) return *std::get<VolumeLayer>(layer.content).series;
  throw std::runtime_error("no layer " + name);
}

/// A voxel with the draws 1 … 10 of one regressor and their squares for another; a second voxel without
/// draws.
SavedDraws twoRegressors() {
  Grid grid;
  grid.size = {2, 1, 1};
  Series<float> first(grid, 10, NAN), second(grid, 10, NAN);
  for (int d = 0; d < 10; ++d) first.at(0, d) = float(d + 1), second.at(0, d) = float((d + 1) * (d + 1));
  return {{"intercept", "sound"},
          {std::make_shared<const Series<float>>(first), std::make_shared<const Series<float>>(second)},
          "%"};
}

TEST(SavedDraws, GiveMomentsSharesAndQuantilesOfDraws) {
  ActivationOptions options;
  options.gamma = 3.5, options.contrast = "less: sound - intercept";
  const auto layers = savedDrawLayers(twoRegressors(), options);
  EXPECT_FLOAT_EQ(mapNamed(layers, "mean_intercept").at(0, 0), 5.5f);
  EXPECT_FLOAT_EQ(mapNamed(layers, "sd_intercept").at(0, 0), float(std::sqrt(82.5 / 9)));
  EXPECT_FLOAT_EQ(mapNamed(layers, "ppm_intercept").at(0, 0), 0.7f);
  EXPECT_FLOAT_EQ(mapNamed(layers, "interval_intercept").at(0, 0), 1);
  EXPECT_FLOAT_EQ(mapNamed(layers, "interval_intercept").at(0, 1), 9);
  EXPECT_FLOAT_EQ(mapNamed(layers, "mean_less").at(0, 0), 38.5f - 5.5f);  // mean of squares minus mean
  EXPECT_FLOAT_EQ(mapNamed(layers, "ppm_less").at(0, 0), 0.8f);           // d² − d > 3.5 from 3 on
  for (const auto& layer : layers)
    EXPECT_TRUE(std::isnan(std::get<VolumeLayer>(layer.content).series->at(1, 0))) << layer.name;
}

TEST(SavedDraws, OfARunGiveItsMapsWithinMonteCarloError) {
  const auto phantom = phantom::makeActivationPhantom({});
  ActivationInput input;
  input.bold = phantom.bold, input.mask = phantom.mask, input.design = phantom.design;
  ActivationOptions options;
  options.fdr = 0;
  options.slice = 6, options.draws = 1000, options.thinning = 1, options.chains = 1, options.saveDraws = true;
  const auto result = analyzeActivation(input, options, {});
  const auto known = activationLayers(result, options);
  SavedDraws saved{result.design.names, {}, "s.d."};
  for (const auto& name : saved.regressors)
    saved.draws.push_back(std::make_shared<const Series<float>>(mapNamed(known, "draws_" + name)));
  const auto layers = savedDrawLayers(saved, options);
  const auto &mean = mapNamed(layers, "mean_visual"), &wanted = mapNamed(known, "mean_visual"),
             &sd = mapNamed(known, "sd_visual"), &p = mapNamed(layers, "ppm_visual");
  int compared = 0;
  for (const auto voxel : result.voxels) {
    EXPECT_NEAR(mean.at(voxel, 0), wanted.at(voxel, 0), 6 * sd.at(voxel, 0) / std::sqrt(300));
    // For a nearly normal posterior; 900 draws have an effective number of at least 300.
    const double exact = 0.5 * std::erfc(-wanted.at(voxel, 0) / sd.at(voxel, 0) / std::sqrt(2));
    EXPECT_NEAR(p.at(voxel, 0), exact, 6 * 0.5 / std::sqrt(300));
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

TEST(SavedDraws, CountThoseNearerToTheirMeanThanNothing) {
  const auto phantom = phantom::makeActivationPhantom({});
  ActivationInput input;
  input.bold = phantom.bold, input.mask = phantom.mask, input.design = phantom.design;
  ActivationOptions options;
  options.fdr = 0;
  options.slice = 6, options.draws = 1000, options.thinning = 1, options.chains = 1, options.saveDraws = true;
  options.contrast = "any: F(visual; auditory; visual - auditory)";
  const auto result = analyzeActivation(input, options, {});
  const auto known = activationLayers(result, options);
  SavedDraws saved{result.design.names, {}, "s.d."};
  for (const auto& name : saved.regressors)
    saved.draws.push_back(std::make_shared<const Series<float>>(mapNamed(known, "draws_" + name)));
  const auto layers = savedDrawLayers(saved, options);
  const auto &drawn = mapNamed(layers, "ppm_any"), &exact = mapNamed(known, "ppm_any");
  double difference = 0;
  for (const auto voxel : result.voxels) {
    EXPECT_NEAR(drawn.at(voxel, 0), exact.at(voxel, 0), 6 * 0.5 / std::sqrt(300));
    difference += (drawn.at(voxel, 0) - exact.at(voxel, 0)) / double(result.count());
  }
  EXPECT_NEAR(difference, 0, 0.005) << "the posterior is nearly normal";
  EXPECT_TRUE(std::isnan(drawn.at(0, 0)));
  options.contrast = "any: F(visual; gustatory)";
  EXPECT_THROW(savedDrawLayers(saved, options), Error);
}

TEST(SavedDraws, ThatDoNotBelongTogetherAreRefused) {
  auto saved = twoRegressors();
  saved.draws.pop_back();
  EXPECT_THROW(savedDrawLayers(saved, {}), Error);
  saved.draws.push_back(std::make_shared<const Series<float>>(saved.draws.front()->grid, 9));
  EXPECT_THROW(savedDrawLayers(saved, {}), Error);
}

TEST(SavedDraws, KnowTheRegressorsOfATable) {
  EXPECT_EQ(regressorsOfDelta({"group", "chain", "draw", "Δ[intercept, intercept]", "Δ[gm, intercept]",
                               "Δ[intercept, visual]", "Δ[gm, visual]"}),
            (std::vector<std::string>{"intercept", "visual"}));
  EXPECT_THROW(regressorsOfDelta({"group", "x"}), Error);
}

TEST(SavedDraws, GiveTheChartsOfChainsAndDelta) {
  SavedDraws saved = twoRegressors();
  saved.delta.columns = {"group", "chain", "draw", "Δ[intercept, intercept]", "Δ[intercept, sound]"};
  for (int chain = 1; chain <= 2; ++chain)
    for (int draw = 1; draw <= 5; ++draw)
      saved.delta.rows.push_back(
          {"volume", std::to_string(chain), std::to_string(draw), "0.5", std::to_string(10 * chain + draw)});
  const auto plots = savedDrawPlots(std::make_shared<const SavedDraws>(saved));
  ASSERT_EQ(plots.size(), 3u);  // none for the intercept
  EXPECT_EQ(plots[0].name, "Chain: sound");
  const Chart chain = plots[0].make({0, 0, 0});
  ASSERT_EQ(chain.series.size(), 2u);
  EXPECT_EQ(chain.series[1].y, (std::vector<double>{36, 49, 64, 81, 100}));
  EXPECT_TRUE(plots[0].make({1, 0, 0}).series.empty()) << "no draws there";
  EXPECT_TRUE(plots[0].make({1e9, 0, 0}).series.empty());
  const Chart delta = plots[1].make({0, 0, 0});
  ASSERT_EQ(delta.series.size(), 2u);
  EXPECT_EQ(delta.series[1].y, (std::vector<double>{21, 22, 23, 24, 25}));
  EXPECT_EQ(delta.yLabel, "Δ of sound (%)");

  saved.delta.rows.pop_back();
  EXPECT_THROW(savedDrawPlots(std::make_shared<const SavedDraws>(saved)), Error) << "chains of 5 and 4";
  saved.delta.rows.front().back() = "much";
  EXPECT_THROW(savedDrawPlots(std::make_shared<const SavedDraws>(saved)), Error);
}

TEST(SavedDraws, FollowGammaWithoutTheirOtherMaps) {
  const SavedDraws saved = twoRegressors();
  ActivationOptions options;
  options.gamma = 3.5;
  const auto first = savedDrawLayers(saved, options);
  options.gamma = 8.5;
  const auto second = savedDrawLayers(saved, options);
  EXPECT_FLOAT_EQ(mapNamed(first, "ppm_intercept").at(0, 0), 0.7f);
  EXPECT_FLOAT_EQ(mapNamed(second, "ppm_intercept").at(0, 0), 0.2f);
  EXPECT_EQ(&mapNamed(first, "sd_sound"), &mapNamed(second, "sd_sound"));
}

}  // namespace
}  // namespace sulcus::activation
