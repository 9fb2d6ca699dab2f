#include "core/activation/results/activation_maps.h"

#include "core/activation/results/contrast_estimates.h"
#include "core/activation/results/posterior.h"
#include "tests/core/activation/activation_inputs.h"
#include "tests/core/activation/tables.h"

#include <algorithm>

#include <gmock/gmock.h>

namespace sulcus::activation {
namespace {

using test::expectError, test::joined, test::optionsWith, test::phantomOptions, test::phantomResult,
    test::wavesInput;
using ::testing::HasSubstr;

const Layer* find(const std::vector<Layer>& layers, const std::string& name) {
  const auto found =
      std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.name == name; });
  return found == layers.end() ? nullptr : &*found;
}

const Series<float>& valuesOf(const std::vector<Layer>& layers, const std::string& name) {
  return *std::get<VolumeLayer>(find(layers, name)->content).series;
}

std::vector<std::string> namesOf(const std::vector<Layer>& layers) {
  std::vector<std::string> names;
  for (const auto& layer : layers) names.push_back(layer.name);
  return names;
}

TEST(ActivationMaps, StartWithTheProbabilityOfTheFirstRegressor) {
  const auto layers = activationLayers(*phantomResult(), phantomOptions());
  EXPECT_EQ(namesOf(layers), (std::vector<std::string>{"ppm_visual",
                                                       "ppm_auditory",
                                                       "ppm_intercept",
                                                       "lfdr_visual",
                                                       "shown_visual",
                                                       "lfdr_auditory",
                                                       "shown_auditory",
                                                       "lfdr_intercept",
                                                       "shown_intercept",
                                                       "shown",
                                                       "mean_intercept",
                                                       "sd_intercept",
                                                       "interval_intercept",
                                                       "effect_intercept",
                                                       "variance_intercept",
                                                       "t_intercept",
                                                       "z_intercept",
                                                       "mean_visual",
                                                       "sd_visual",
                                                       "interval_visual",
                                                       "effect_visual",
                                                       "variance_visual",
                                                       "t_visual",
                                                       "z_visual",
                                                       "mean_auditory",
                                                       "sd_auditory",
                                                       "interval_auditory",
                                                       "effect_auditory",
                                                       "variance_auditory",
                                                       "t_auditory",
                                                       "z_auditory",
                                                       "hpd_intercept",
                                                       "hpd_visual",
                                                       "hpd_auditory",
                                                       "sigma2",
                                                       "rhat",
                                                       "ess",
                                                       "delta",
                                                       "vbeta",
                                                       "mask"}));
  EXPECT_EQ(std::count_if(layers.begin(), layers.end(), [](const Layer& l) { return l.display.visible; }), 1);
  EXPECT_TRUE(layers.front().display.visible);
  EXPECT_EQ(layers.front().unit, "P(effect > 0)");
  EXPECT_EQ(layers.front().display.hideBelow, 0.95);
  EXPECT_TRUE(layers.front().display.colorBar);
}

TEST(ActivationMaps, HoldTheNumbersWhereThereAreVoxelsAndNaNElsewhere) {
  const auto& result = *phantomResult();
  auto options = phantomOptions();
  options.gamma = 0.5;
  const auto layers = activationLayers(result, options);
  const auto& mean = valuesOf(layers, "mean_auditory");
  const auto& p = valuesOf(layers, "ppm_auditory");
  const auto& interval = valuesOf(layers, "interval_auditory");
  const auto m = std::size_t(result.count());
  const std::vector<double> c{0, 0, 1};
  for (std::size_t i = 0; i < m; i += 37) {
    const auto voxel = result.voxels[i];
    EXPECT_EQ(mean.at(voxel, 0), result.mean[2 * m + i]);
    EXPECT_NEAR(p.at(voxel, 0), exceedanceAt(result, c, 0.5, std::int64_t(i)), 1e-6);
    EXPECT_LT(interval.at(voxel, 0), mean.at(voxel, 0));
    EXPECT_GT(interval.at(voxel, 1), mean.at(voxel, 0));
  }
  for (const auto& layer : layers) {
    const auto* volume = std::get_if<VolumeLayer>(&layer.content);
    if (!volume) continue;
    for (std::int64_t v = 0; v < result.grid.voxels(); ++v)
      if (!result.mask->values[std::size_t(v)]) {
        ASSERT_TRUE(std::isnan(volume->series->at(v, 0))) << layer.name;
      }
  }
}

TEST(ActivationMaps, JoinAResponseWithItsDerivatives) {
  auto input = wavesInput({4, 3, 2}, 60, 3);
  input.design.responses = {{1, 2}};
  const auto result = analyzeActivation(input, optionsWith(Response::raw, 60), {});
  const auto layers = activationLayers(result, optionsWith(Response::raw, 60));
  const auto& norm = valuesOf(layers, "norm_" + input.design.names[1]);
  const auto m = std::size_t(result.count());
  for (std::size_t i = 0; i < m; ++i) {
    double fitted = 0, mean = 0, canonical = 0;
    const auto at = [&](int t) {
      return result.mean[m + i] * input.design.matrix(t, 1) +
             result.mean[2 * m + i] * input.design.matrix(t, 2);
    };
    for (int t = 0; t < 60; ++t) mean += at(t) / 60;
    for (int t = 0; t < 60; ++t) fitted += std::pow(at(t) - mean, 2);
    const double average = input.design.matrix.col(1).mean();
    for (int t = 0; t < 60; ++t) canonical += std::pow(input.design.matrix(t, 1) - average, 2);
    const float value = norm.at(result.voxels[i], 0);
    EXPECT_NEAR(std::abs(value), std::sqrt(fitted / canonical), 1e-5 * (1 + std::abs(value)));
    EXPECT_EQ(std::signbit(value), std::signbit(result.mean[m + i]));
  }
}

TEST(ActivationMaps, ShowThePapersMapOutsideTheIntervalOfAllMeans) {
  const auto& result = *phantomResult();
  const auto layers = activationLayers(result, phantomOptions());
  const Layer& layer = *find(layers, "hpd_visual");
  const auto& map = std::get<VolumeLayer>(layer.content).series->values;
  const auto shown = std::count_if(map.begin(), map.end(), [](float x) { return !std::isnan(x); });
  EXPECT_NEAR(double(shown) / double(result.count()), 0.05, 0.002);
  EXPECT_THAT(joined(layer.notes), HasSubstr("It is not a probability"));
}

TEST(ActivationMaps, AnswerToContrastsGivenAfterwards) {
  const auto& result = *phantomResult();
  auto options = phantomOptions();
  options.contrast = "difference: 0 1 -1", options.probability = 0.99;
  const auto layers = contrastLayers(result, options);
  EXPECT_EQ(namesOf(layers), (std::vector<std::string>{"ppm_visual",
                                                       "ppm_auditory",
                                                       "ppm_difference",
                                                       "ppm_intercept",
                                                       "lfdr_visual",
                                                       "shown_visual",
                                                       "lfdr_auditory",
                                                       "shown_auditory",
                                                       "lfdr_difference",
                                                       "shown_difference",
                                                       "lfdr_intercept",
                                                       "shown_intercept",
                                                       "shown",
                                                       "mean_difference",
                                                       "sd_difference",
                                                       "interval_difference",
                                                       "effect_difference",
                                                       "variance_difference",
                                                       "t_difference",
                                                       "z_difference"}));
  EXPECT_EQ(layers.front().display.hideBelow, 0.99);
  const auto m = std::size_t(result.count());
  EXPECT_NEAR(valuesOf(layers, "mean_difference").at(result.voxels[5], 0),
              result.mean[m + 5] - result.mean[2 * m + 5], 1e-5);
  options.contrast = "0 1";
  expectError([&] { contrastLayers(result, options); }, {"0 1"}, ErrorKind::usage);
}

TEST(ActivationMaps, TestRowsTogether) {
  auto options = phantomOptions();
  options.contrast = "any: F(visual; auditory; d: visual - auditory)", options.gamma = 0.1;
  const auto layers = contrastLayers(*phantomResult(), options);
  for (const char* name : {"ppm_any", "lfdr_any", "shown_any", "f_any", "z_any", "mean_d", "z_d"})
    EXPECT_NE(find(layers, name), nullptr) << name;
  for (const char* name : {"mean_any", "t_any", "mean_visual"})
    EXPECT_EQ(find(layers, name), nullptr) << name;
  EXPECT_THAT(joined(find(layers, "f_any")->notes),
              ::testing::AllOf(HasSubstr("F(2, "), HasSubstr("visual, auditory, d differs from 0"),
                               HasSubstr("Of 3 rows 2 are independent.")));
  EXPECT_THAT(joined(find(layers, "ppm_any")->notes), HasSubstr("γ does not apply here"));
  EXPECT_EQ(find(layers, "ppm_any")->unit, "P(any row differs)");
  const auto& f = valuesOf(layers, "f_any");
  const auto& z = valuesOf(layers, "z_any");
  for (const auto voxel : phantomResult()->voxels) {
    EXPECT_GE(f.at(voxel, 0), 0);
    EXPECT_GE(z.at(voxel, 0), 0);
  }
  const auto& table = std::get<TableLayer>(find(layers, "shown")->content);
  EXPECT_EQ(table.rows.back()[0], "any");
  EXPECT_EQ(table.rows.back()[2], "n/a") << "γ";
  // Also by false share.
  options.fdr = 0.05;
  const auto thresholded = contrastLayers(*phantomResult(), options);
  EXPECT_EQ(std::get<TableLayer>(find(thresholded, "shown")->content).rows.back()[1], "fdr 0.05");
}

TEST(ActivationMaps, SayWhatTheyAreByFalseDiscoveries) {
  auto options = phantomOptions();
  options.fdr = ActivationOptions().fdr;
  EXPECT_EQ(options.fdr, 0.05);
  const auto layers = contrastLayers(*phantomResult(), options);
  EXPECT_EQ(layers.front().unit, "1 − local FDR");
  EXPECT_EQ(layers.front().display.range->high, 1);
  options.gamma = 1e6;  // no effect is that large
  const Layer none = contrastLayers(*phantomResult(), options).front();
  EXPECT_EQ(none.unit, "1 − local FDR, none at FDR 0.05");
  EXPECT_EQ(none.display.range, (Range{0, 1})) << "a bar of probabilities";
  EXPECT_GT(*none.display.hideBelow, 1) << "which hides all";
  EXPECT_LT(*none.display.hideBelow, 1.001);
  EXPECT_THAT(none.notes, testing::Contains("Nothing survives FDR 0.05."));
}

TEST(ActivationMaps, ShowTheContrastThatWasAskedFor) {
  auto options = phantomOptions();
  const auto shown = [&] {
    std::vector<std::string> names;
    for (const Layer& layer : contrastLayers(*phantomResult(), options))
      if (layer.display.visible) names.push_back(layer.name);
    return names;
  };
  EXPECT_EQ(shown(), std::vector<std::string>{"ppm_visual"});
  options.contrast = "d: visual - auditory";
  EXPECT_EQ(shown(), std::vector<std::string>{"ppm_d"});
  options.contrast = "any: F(visual; d: auditory - visual)";
  EXPECT_EQ(shown(), std::vector<std::string>{"ppm_any"});
}

TEST(ActivationMaps, ThresholdByFalseDiscoveriesWhereAsked) {
  const auto result =  // blobs: with the phantom of the model every voxel has an effect
      analyzeActivation(test::inputOf(phantom::makeActivationPhantom({})), phantomOptions(), {});
  auto options = phantomOptions();
  options.fdr = 0.05;
  const auto layers = contrastLayers(result, options);
  const auto &p = valuesOf(layers, "ppm_visual"), &falseShare = valuesOf(layers, "lfdr_visual");
  const auto& isShown = *std::get<LabelsLayer>(find(layers, "shown_visual")->content).labels;
  double errors = 0, shown = 0;
  for (const auto voxel : result.voxels) {
    EXPECT_EQ(p.at(voxel, 0), 1 - falseShare.at(voxel, 0));
    const bool above = p.at(voxel, 0) >= float(*layers.front().display.hideBelow);
    EXPECT_EQ(isShown.values[std::size_t(voxel)], above);
    if (above) errors += 1 - double(p.at(voxel, 0)), ++shown;
  }
  EXPECT_GT(shown, 100);
  EXPECT_LE(errors / shown, 0.05);
  EXPECT_GT(errors / shown, 0.045);  // as many as possible
  const auto& table = std::get<TableLayer>(find(layers, "shown")->content);
  EXPECT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0][4], std::to_string(int(shown)));
}

TEST(ActivationMaps, HoldTheClassicalMapsBesides) {
  const auto& result = *phantomResult();
  const auto layers = activationLayers(result, phantomOptions());
  const auto estimates = estimateContrast(result, std::vector<double>{0, 1, 0});
  const auto &t = valuesOf(layers, "t_visual"), &z = valuesOf(layers, "z_visual");
  for (std::size_t i = 0; i < result.voxels.size(); i += 37) {
    EXPECT_EQ(t.at(result.voxels[i], 0), estimates.effect[i] / estimates.error[i]);
    EXPECT_EQ(z.at(result.voxels[i], 0), estimates.z(i));
  }
  EXPECT_THAT(joined(find(layers, "t_visual")->notes), HasSubstr("degrees of freedom"));
}

TEST(ActivationMaps, TabulateTheDrawsOfTheSecondLevel) {
  const auto& result = *phantomResult();
  const auto layers = activationLayers(result, phantomOptions());
  const auto& delta = std::get<TableLayer>(find(layers, "delta")->content);
  const int kept = result.sampling.kept();
  EXPECT_EQ(delta.columns.size(), 3u + 12);
  EXPECT_EQ(delta.columns[4], "Δ[csf, intercept]");
  ASSERT_EQ(delta.rows.size(), std::size_t(kept) * 2);
  EXPECT_EQ(delta.rows[std::size_t(kept) + 2][1], "2");
  EXPECT_NEAR(std::stod(delta.rows[std::size_t(kept) + 2][3 + 5]),
              result.samples->delta[(std::size_t(kept) + 2) * 12 + 5], 1e-6);
  const auto& vBeta = std::get<TableLayer>(find(layers, "vbeta")->content);
  EXPECT_EQ(vBeta.columns.size(), 3u + 6);
  EXPECT_NEAR(std::stod(vBeta.rows[1][3 + 5]), result.samples->vBeta[9 + 8], 1e-6);
}

TEST(ActivationMaps, GiveEveryDrawWhereAsked) {
  const auto result = analyzeActivation(wavesInput({4, 3, 2}, 30, 2), optionsWith(Response::raw, 60), {});
  ActivationOptions options;
  options.saveDraws = true;
  const auto layers = activationLayers(result, options);
  const auto& draws = valuesOf(layers, "draws_wave1");
  const int kept = result.sampling.kept();
  EXPECT_EQ(draws.count, 2 * kept);
  const auto replayed = replayVoxel(*result.problem, result.sampling, *result.samples, 7);
  EXPECT_EQ(draws.at(7, kept + 3), replayed[(60 + std::size_t(result.sampling.burnIn) + 3) * 3 + 1]);
}

TEST(ActivationMaps, OfAPreviewKnowNothingThatNeedsDraws) {
  auto result = *phantomResult();
  result.samples = std::make_shared<const GibbsResult>(GibbsResult{result.samples->moments, {}, {}, {}});
  result.groups.clear();
  const auto layers = activationLayers(result, phantomOptions());
  EXPECT_NE(find(layers, "ppm_visual"), nullptr);
  EXPECT_NE(find(layers, "sigma2"), nullptr);
  for (const char* name : {"rhat", "ess", "delta", "vbeta"}) EXPECT_EQ(find(layers, name), nullptr) << name;
}

}  // namespace
}  // namespace sulcus::activation
