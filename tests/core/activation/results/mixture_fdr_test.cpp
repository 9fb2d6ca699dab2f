#include "core/activation/results/mixture_fdr.h"

#include "core/activation/results/posterior.h"
#include "core/activation/results/shown_voxels.h"
#include "tests/core/activation/activation_inputs.h"
#include "tests/support/effects_scan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

namespace sulcus::activation {
namespace {

using test::effectsNormal, test::forEachSeed, test::Rng, test::scoreShown;
using ::testing::HasSubstr;

struct Simulation {
  ContrastEstimates estimates;
  std::vector<bool> active;
  std::vector<double> effect;  ///< the true ones
};

/// Estimates with standard errors between 0.5 and 1.5: in a share `share` of the voxels the effect is N(mean,
/// spread²), in the others zero. The errors are `scale` times as large as stated.
Simulation simulateGroups(Rng& rng, int voxels, double share, double mean, double spread, double scale = 1) {
  Simulation s;
  s.estimates.freedom.assign(std::size_t(voxels), 1e6f);
  for (int i = 0; i < voxels; ++i) {
    s.active.push_back(rng.uniform() < share);
    const double error = rng.uniform(0.5, 1.5);
    const double effect = s.active.back() ? mean + spread * effectsNormal(rng) : 0;
    s.effect.push_back(effect);
    s.estimates.error.push_back(float(error));
    s.estimates.effect.push_back(float(effect + scale * error * effectsNormal(rng)));
  }
  return s;
}

std::vector<bool> shownAt(const Simulation& s, double q) {
  const auto share = localFalseShare(s.estimates, *fitFdrMixture(s.estimates), 0);
  std::vector<float> p;
  for (const float f : share) p.push_back(1 - f);
  const auto threshold = float(fdrThreshold(p, q));
  std::vector<bool> shown;
  for (const float x : p) shown.push_back(x >= threshold);
  return shown;
}

TEST(FdrMixture, IsFound) {
  forEachSeed(3, [](Rng& rng) {
    const auto s = simulateGroups(rng, 20000, 0.1, 3, 0.7, 1.2);
    const auto found = fitFdrMixture(s.estimates);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->nullShare, 0.9, 0.02);
    EXPECT_NEAR(found->mean, 3, 0.2);
    EXPECT_NEAR(found->spread, 0.7, 0.3);
    EXPECT_NEAR(found->errorScale, 1.2, 0.03);
  });
}

double normalDensity(double x, double variance) {
  return std::exp(-x * x / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

TEST(FdrMixture, ReproducesItself) {
  // One step of the EM algorithm, by its definition. Effects with little spread make it slow.
  for (const double spread : {0.7, 0.02}) {
    Rng rng(5);
    const auto s = simulateGroups(rng, 6000, 0.08, 3, spread, 1.2);
    const auto found = fitFdrMixture(s.estimates);
    ASSERT_TRUE(found);
    double null = 0, squares = 0, other = 0, sum = 0, sumOfSquares = 0;
    for (std::size_t i = 0; i < s.active.size(); ++i) {
      const double x = s.estimates.effect[i], own = s.estimates.normalError(i),
                   wide = found->errorScale * own;
      const double tau2 = found->spread * found->spread, error2 = wide * wide;
      const double zero = found->nullShare * normalDensity(x, error2);
      const double some = (1 - found->nullShare) * normalDensity(x - found->mean, tau2 + error2);
      const double p = zero / (zero + some), mean = (tau2 * x + error2 * found->mean) / (tau2 + error2);
      null += p;
      squares += p * x * x / (own * own);
      other += 1 - p;
      sum += (1 - p) * mean;
      sumOfSquares += (1 - p) * (mean * mean + tau2 * error2 / (tau2 + error2));
    }
    EXPECT_NEAR((null + 10) / (6000 + 10), found->nullShare, 2e-5);  // the last step is below 1e-5
    EXPECT_NEAR(std::sqrt(squares / null), found->errorScale, 2e-5);
    EXPECT_NEAR(sum / other, found->mean, 2e-5);
    EXPECT_NEAR(std::sqrt(sumOfSquares / other - sum / other * sum / other), found->spread, 2e-5);
  }
}

TEST(FdrMixture, HoldsTheFalseShareThatItPromises) {
  for (const double q : {0.05, 0.2})
    for (const double scale : {1.0, 1.4}) {
      double wrong = 0, power = 0;
      forEachSeed(20, [&](Rng& rng) {
        const auto s = simulateGroups(rng, 4000, 0.05, 4, 0.5, scale);
        const auto score = scoreShown(shownAt(s, q), s.active);
        wrong += score.falseShare / 20;
        power += score.power / 20;
      });
      EXPECT_LE(wrong, q + 0.02) << "errors times " << scale;
      EXPECT_GE(wrong, 0.4 * q) << "errors times " << scale;
      EXPECT_GT(power, scale > 1 ? 0.3 : 0.6) << q;
    }
}

/// Calibration of the prior: truths are drawn from it, and of the voxels whose share is near p, a share p is
/// false.
TEST(FdrMixture, SharesAreHowOftenAVoxelIsFalse) {
  constexpr std::size_t kBins = 10;
  for (const double gamma : {0.0, 2.0}) {
    std::array<double, kBins> said{}, is{}, count{};
    forEachSeed(20, [&](Rng& rng) {
      const auto s = simulateGroups(rng, 4000, 0.15, 2.5, 1, 1.2);
      const auto share = localFalseShare(s.estimates, *fitFdrMixture(s.estimates), gamma);
      for (std::size_t i = 0; i < share.size(); ++i) {
        const auto bin = std::min(kBins - 1, std::size_t(share[i] * float(kBins)));
        said[bin] += double(share[i]);
        is[bin] += !(s.effect[i] > gamma);
        ++count[bin];
      }
    });
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      ASSERT_GT(count[bin], 300) << bin;
      const double p = said[bin] / count[bin];  // its parameters are estimated from 4000 voxels: 0.02
      EXPECT_NEAR(is[bin] / count[bin], p, 4 * std::sqrt(p * (1 - p) / count[bin]) + 0.02) << gamma;
    }
  }
}

/// Estimates with about the same standard error, as in least squares when the design is the same for all
/// voxels. Either every voxel has a tiny effect, or none has and the noise is wider: both look like this.
/// `share` of them have an effect of 8.
Simulation simulateTinyEffects(Rng& rng, double share) {
  auto s = simulateGroups(rng, 8000, 0, 0, 0);
  for (std::size_t i = 0; i < s.active.size(); ++i) {
    s.active[i] = rng.uniform() < share;
    const double error = rng.uniform(0.9, 1.1), tiny = 1.25 * effectsNormal(rng);
    s.estimates.error[i] = float(error);
    s.estimates.effect[i] = float((s.active[i] ? 8 : 0) + tiny + error * effectsNormal(rng));
  }
  return s;
}

TEST(FdrMixture, TakesTinyEffectsEverywhereForWideNoise) {
  forEachSeed(20, [](Rng& rng) {
    const auto none = simulateTinyEffects(rng, 0);
    const auto found = fitFdrMixture(none.estimates);
    EXPECT_GT(found->nullShare, 0.95);
    EXPECT_NEAR(found->errorScale, 1.6, 0.05);  // √(1 + 1.25²)
    EXPECT_LE(scoreShown(shownAt(none, 0.05), none.active).shown, 4);
    const auto some = simulateTinyEffects(rng, 0.05);
    const auto score = scoreShown(shownAt(some, 0.05), some.active);
    EXPECT_LT(score.falseShare, 0.1);
    EXPECT_GT(score.power, 0.7);
  });
}

TEST(FdrMixture, IsAsFarFromNullAsAssumed) {
  Rng rng(7);
  const auto s = simulateGroups(rng, 6000, 0.3, 0.5, 0.5);
  const auto found = fitFdrMixture(s.estimates);
  double error = 0;
  for (std::size_t i = 0; i < s.active.size(); ++i)
    error += s.estimates.normalError(i) / double(s.active.size());
  EXPECT_NEAR(std::hypot(found->mean, found->spread), 2.5 * error, 1e-4);
}

TEST(FdrMixture, IsNotHiddenByWildVoxels) {
  Rng rng(7);
  auto s = simulateGroups(rng, 6000, 0.05, 4, 0.7);
  const auto before = shownAt(s, 0.05);
  s.estimates.error[17] = 1e9f, s.estimates.effect[17] = 3e8f;
  const auto after = shownAt(s, 0.05);
  const auto count = [](const std::vector<bool>& shown) {
    return std::count(shown.begin(), shown.end(), true);
  };
  EXPECT_GT(count(before), 150);
  EXPECT_NEAR(double(count(after)), double(count(before)), 10);
}

TEST(FdrMixture, ShowsNothingWhereThereIsNothing) {
  int shown = 0;
  forEachSeed(40, [&](Rng& rng) {
    const auto s = simulateGroups(rng, 4000, 0, 0, 0);
    shown += scoreShown(shownAt(s, 0.05), s.active).shown > 0;
  });
  EXPECT_LE(shown, 2);  // in forty scans without effect
}

TEST(FdrMixture, CountsAnEffectBelowGammaAsFalse) {
  Rng rng(5);
  const auto s = simulateGroups(rng, 5000, 0.3, 3, 1);
  const auto mixture = *fitFdrMixture(s.estimates);
  const auto low = localFalseShare(s.estimates, mixture, -100),
             zero = localFalseShare(s.estimates, mixture, 0), high = localFalseShare(s.estimates, mixture, 3),
             all = localFalseShare(s.estimates, mixture, 100);
  for (std::size_t i = 0; i < zero.size(); ++i) {
    EXPECT_LE(low[i], 1e-6f);
    EXPECT_LE(zero[i], high[i]);
    EXPECT_GE(all[i], 1 - 1e-6f);
  }
}

TEST(FdrMixture, IsNotFittedToFewVoxels) {
  Rng rng(6);
  EXPECT_FALSE(fitFdrMixture(simulateGroups(rng, kFewestForGroups - 1, 0.3, 3, 1).estimates));
  auto s = simulateGroups(rng, int(kFewestForGroups), 0.3, 3, 1);
  EXPECT_TRUE(fitFdrMixture(s.estimates));
  s.estimates.error[3] = 0;
  EXPECT_FALSE(fitFdrMixture(s.estimates));
}

ActivationResult effectsResult(test::EffectsScanOptions scan) {
  scan.size = {16, 16, 8};
  return analyzeActivation(test::effectsScan(scan).input, test::optionsWith(Response::standardized, 100), {});
}

ActivationOptions withFdr(double q) {
  ActivationOptions options;
  options.fdr = q;
  return options;
}

TEST(ShownVoxels, HoldTheFalseShareOfAScan) {
  double wrong = 0, power = 0, expected = 0;
  constexpr int kScans = 4;
  for (int seed = 1; seed <= kScans; ++seed) {
    test::EffectsScanOptions options;
    options.size = {16, 16, 8}, options.effect = 1, options.seed = std::uint64_t(seed);
    const auto scan = test::effectsScan(options);
    const auto result = analyzeActivation(scan.input, test::optionsWith(Response::standardized, 100), {});
    const Contrast task{"task", [&] {
                          std::vector<double> c(std::size_t(result.regressors()), 0.0);
                          c[1] = 1;
                          return c;
                        }()};
    const auto shown = shownVoxels(result, task, withFdr(0.05));
    std::vector<bool> is;
    for (const float p : shown.probability) is.push_back(p >= float(shown.threshold));
    const auto score = scoreShown(is, scan.active);
    EXPECT_EQ(double(shown.count), score.shown);
    wrong += score.falseShare / kScans, power += score.power / kScans,
        expected += shown.expectedFalse / kScans;
  }
  EXPECT_LE(wrong, 0.07);
  EXPECT_GT(power, 0.5);
  EXPECT_NEAR(expected, 0.05, 0.005);
}

TEST(ShownVoxels, SayWhatTheyAre) {
  test::EffectsScanOptions scan;
  scan.effect = 1;
  const auto result = effectsResult(scan);
  std::vector<double> c(std::size_t(result.regressors()), 0.0);
  c[1] = 1;
  const auto byShare = shownVoxels(result, {"task", c}, withFdr(0.05));
  EXPECT_TRUE(byShare.byFalseShare);
  EXPECT_THAT(byShare.notes.front(), HasSubstr("of them are expected to be false"));
  const auto byProbability = shownVoxels(result, {"task", c}, withFdr(0));
  EXPECT_FALSE(byProbability.byFalseShare);
  EXPECT_EQ(byProbability.threshold, 0.95);
  EXPECT_THAT(byProbability.notes.front(), HasSubstr("with P ≥ 0.95"));
  EXPECT_GT(byProbability.expectedFalse, byShare.expectedFalse) << "more voxels, more of them false";

  const Layer layer = shownTable({byShare}, withFdr(0.05));
  const auto& table = std::get<TableLayer>(layer.content);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0].size(), table.columns.size());
  EXPECT_EQ(table.rows[0][1], "fdr 0.05");
  EXPECT_EQ(table.rows[0][4], std::to_string(byShare.count));
}

TEST(ShownVoxels, WarnWhereManyAreExpectedToBeFalse) {
  const auto result = effectsResult({});  // no voxel has an effect
  std::vector<double> c(std::size_t(result.regressors()), 0.0);
  c[1] = 1;
  ActivationOptions options;
  options.fdr = 0;
  options.probability = 0.6;
  const auto shown = shownVoxels(result, {"task", c}, options);
  ASSERT_GT(shown.count, 0);
  EXPECT_GT(shown.expectedFalse, 0.9);
  ASSERT_EQ(shown.notes.size(), 2u);
  EXPECT_TRUE(shown.notes.back().line().starts_with("Warning: about " +
                                                    std::to_string(std::lround(100 * shown.expectedFalse)) +
                                                    " % of the voxels with P ≥ 0.6 are expected"))
      << shown.notes.back();
  options.fdr = 0.9;
  for (const auto& note : shownVoxels(result, {"task", c}, options).notes)
    EXPECT_FALSE(note.isWarning()) << "as many as were asked for: " << note;
}

TEST(ShownVoxels, OfNoVoxelHaveNoThreshold) {
  ShownVoxels none;
  none.contrast = "task", none.byFalseShare = true, none.threshold = 2;
  const Layer layer = shownTable({none}, withFdr(0.05));
  EXPECT_EQ(std::get<TableLayer>(layer.content).rows[0][3], "n/a");
}

TEST(ShownVoxels, PromiseNoFalseShareInFewVoxels) {
  const auto result =
      analyzeActivation(test::wavesInput({4, 3, 2}, 30, 2), test::optionsWith(Response::raw, 60), {});
  const auto shown = shownVoxels(result, {"wave1", {0, 1}}, withFdr(0.05));
  EXPECT_FALSE(shown.byFalseShare);
  EXPECT_EQ(shown.threshold, 0.95);
  EXPECT_THAT(shown.notes.front(), HasSubstr("The false discovery rate cannot be controlled"));
}

}  // namespace
}  // namespace sulcus::activation
