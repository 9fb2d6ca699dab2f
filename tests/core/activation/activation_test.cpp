#include "core/activation/activation.h"

#include "core/activation/results/mixture_fdr.h"
#include "core/base/parallel/parallel_for.h"
#include "tests/core/activation/activation_inputs.h"

#include <algorithm>
#include <atomic>

#include <gmock/gmock.h>

namespace sulcus::activation {
namespace {

/// Memory for any number of draws, for up to 3500, and only for the existing ones.
bool anyFit(const GibbsProblem&, const GibbsOptions&) { return true; }
bool someFit(const GibbsProblem&, const GibbsOptions& sampling) { return sampling.draws <= 3500; }
bool noneFit(const GibbsProblem&, const GibbsOptions&) { return false; }

using test::inputOf, test::modelPhantom, test::optionsWith, test::phantomResult, test::wavesInput;

TEST(Activation, FindsTheCoefficientsOfThePhantom) {
  const auto& result = *phantomResult();
  const auto& phantom = modelPhantom();
  const auto m = std::size_t(result.count());
  EXPECT_EQ(result.groupNames, std::vector<std::string>{"volume"});
  for (std::size_t j = 0; j < 3; ++j) {
    double ours = 0, leastSquares = 0;
    for (std::size_t i = 0; i < m; ++i) {
      const double truth = phantom.beta->at(result.voxels[i], int(j));
      ours += std::pow(result.mean[j * m + i] - truth, 2) / double(m);
      leastSquares += std::pow(result.leastSquares[j * m + i] - truth, 2) / double(m);
    }
    EXPECT_LT(ours, leastSquares);  // the purpose of the second level
  }
}

TEST(Activation, OfASliceIsTheSameAloneAndAmongOthers) {
  const auto input = wavesInput({5, 4, 3}, 30, 3);
  auto options = optionsWith(Response::raw, 4000);
  options.scope = Scope::slices;
  const auto all = analyzeActivation(input, options, {});
  options.slice = 2;
  const auto one = analyzeActivation(input, options, {});
  ASSERT_EQ(one.count(), 20);
  EXPECT_EQ(all.groups.size(), 3u);
  EXPECT_EQ(one.problem->groups[0].priorScale, all.problem->groups[1].priorScale);
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 20; ++i) {
      const std::size_t alone = j * 20 + i, among = j * 60 + 20 + i;
      EXPECT_EQ(one.leastSquares[alone], all.leastSquares[among]);
      const double error =
          std::sqrt(one.covariance[(j * (j + 3) / 2) * 20 + i] / one.samples->moments.ess[alone]);
      EXPECT_NEAR(one.mean[alone], all.mean[among], 5 * error);
    }
}

TEST(Activation, IsTheSameOnAnyNumberOfThreads) {
  const auto input = wavesInput({15, 14, 3}, 30, 3);
  const auto options = optionsWith(Response::percent, 60);
  ActivationResult one, many;
  withThreads(1, [&] { one = analyzeActivation(input, options, {}); });
  withThreads(4, [&] { many = analyzeActivation(input, options, {}); });
  EXPECT_EQ(one.mean, many.mean);
  EXPECT_EQ(one.covariance, many.covariance);
  EXPECT_EQ(one.leastSquares, many.leastSquares);
}

TEST(Activation, ScalesWithTheUnitOfTheSeries) {
  auto input = wavesInput({6, 5, 1}, 40, 3);
  const auto options = optionsWith(Response::raw, 400);
  const auto before = analyzeActivation(input, options, {});
  auto scaled = std::make_shared<Series<float>>(*input.bold);
  for (float& value : scaled->values) value *= 4;
  input.bold = scaled;
  const auto after = analyzeActivation(input, options, {});
  for (std::size_t i = 30; i < 90; ++i)  // the prior has the unit: only A of the intercept does not
    EXPECT_NEAR(after.mean[i], 4 * before.mean[i], 0.02 * std::abs(4 * before.mean[i]) + 0.05);
}

TEST(Activation, ShowsPreviewsWithTheMomentsSoFar) {
  auto input = wavesInput({10, 10, 3}, 30, 3);
  std::atomic<int> previews = 0;
  std::vector<float> last;
  input.preview = [&](const ActivationResult& soFar) {
    ++previews;
    EXPECT_EQ(soFar.count(), 300);
    EXPECT_EQ(soFar.mean.size(), 900u);
    EXPECT_TRUE(soFar.samples->delta.empty());
    last = soFar.mean;
  };
  const SampleGibbs* sampler = [](const GibbsProblem& problem, const GibbsOptions& options,
                                  const GibbsPreview& preview, const Progress& progress) {
    auto result = sampleGibbs(problem, options, {}, progress);
    preview(result.moments, 1);
    return result;
  };
  const auto result =
      analyzeActivation({*sampler, DrawsOn::processor, anyFit}, input, optionsWith(Response::raw), {});
  EXPECT_EQ(previews, 1);
  EXPECT_EQ(last, result.mean);
}

TEST(Activation, DrawsAsManyAsTheMemoryHolds) {
  const auto input = wavesInput({3, 3, 1}, 12, 3);
  auto options = optionsWith(Response::raw);
  options.draws = 0, options.chains = 1, options.thinning = 10;  // too few of 3000 are kept
  const auto drawn = [&](auto& fits) {
    return analyzeActivation({sampleGibbs, DrawsOn::processor, fits}, input, options, {});
  };
  const auto all = drawn(anyFit), some = drawn(someFit), none = drawn(noneFit);
  const auto told = [](const ActivationResult& result) {
    return std::ranges::count_if(
        result.notes, [](const std::string& note) { return note.find("free memory") != std::string::npos; });
  };
  ASSERT_GT(all.sampling.draws, 3500);
  EXPECT_EQ(told(all), 0);
  EXPECT_EQ(some.sampling.draws, 3500);
  EXPECT_EQ(some.sampling.burnIn, 350);
  EXPECT_EQ(told(some), 1);
  EXPECT_EQ(none.sampling.draws, kFirstDraws);
  EXPECT_EQ(told(none), 1);
  options.draws = kFirstDraws;
  EXPECT_EQ(none.mean, drawn(anyFit).mean);
}

TEST(Activation, GroupsContrastsWhileADeviceDraws) {
  const auto input = wavesInput({10, 10, 3}, 30, 2);
  auto options = optionsWith(Response::raw);
  options.contrast = "1 1";
  const auto result = analyzeActivation({sampleGibbs, DrawsOn::device, anyFit}, input, options, {}),
             reference = analyzeActivation(input, options, {});
  EXPECT_EQ(result.mean, reference.mean);
  for (const auto& contrast : allContrasts(options.contrast, result.design.names)) {
    const auto found = (*result.grouped)(contrast.weights, [] { return nullptr; });
    ASSERT_TRUE(found.recalled) << contrast.name;
    EXPECT_EQ(found.value->estimates.effect, groupedEstimates(reference, contrast.weights)->estimates.effect);
  }
}

TEST(Activation, ReportsItsProgressAndItsStages) {
  double last = 0;
  const Progress progress({}, [&](double fraction, std::string_view) {
    EXPECT_GE(fraction, last - 1e-9);
    last = fraction;
  });
  ActivationResult result;
  withThreads(1, [&] {
    result = analyzeActivation(wavesInput({6, 5, 2}, 30, 2), optionsWith(Response::raw), progress);
  });
  EXPECT_NEAR(last, 1, 1e-6);
  ASSERT_EQ(result.stages.size(), 3u);
  EXPECT_EQ(result.stages[1].name, "Draws");
}

TEST(Activation, StopsWhenAskedTo) {
  std::stop_source stop;
  const Progress progress(stop.get_token(), [&](double fraction, std::string_view) {
    if (fraction > 0.3) stop.request_stop();
  });
  EXPECT_THROW(analyzeActivation(wavesInput({10, 10, 3}, 30, 3), optionsWith(Response::raw, 5000), progress),
               Cancelled);
}

TEST(Activation, TakesThePaperForItsWord) {
  const auto options = optionsFrom<ActivationOptions>(paperActivation());
  EXPECT_EQ(options.chains, 1);
  EXPECT_EQ(options.vScale, 1);
  EXPECT_EQ(options.errorPrior, ErrorPrior::total);
  EXPECT_EQ(options.scope, Scope::slices);
  EXPECT_EQ(options.response, Response::standardized);
  EXPECT_EQ(options.nuE, 3);
}

TEST(ActivationOptions, HaveTheFlagsOfTheCommandLine) {
  std::vector<std::string> names, adjustable;
  for (const auto& info : describeOptions<ActivationOptions>()) {
    names.push_back(info.name);
    if (info.adjustable) adjustable.push_back(info.name);
    EXPECT_GT(info.help.size(), 30u) << info.name;
    EXPECT_NO_THROW(checkedOption(info, info.defaultValue)) << info.name;
  }
  for (const char* flag :
       {"draws", "thinning", "burn-in", "chains", "noise-prior-dof", "covariance-dof", "covariance-scale",
        "prior-precision", "response", "error-prior", "scope", "slice", "gamma", "save-draws", "seed"})
    EXPECT_THAT(names, ::testing::Contains(flag));
  EXPECT_EQ(adjustable, (std::vector<std::string>{"contrast", "fdr", "probability", "gamma"}));
}

}  // namespace
}  // namespace sulcus::activation
