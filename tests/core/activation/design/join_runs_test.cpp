#include "core/activation/model/gibbs_problem.h"
#include "core/activation/results/contrast_estimates.h"
#include "core/activation/results/noise_charts.h"
#include "core/math/linear_algebra.h"
#include "tests/core/activation/activation_inputs.h"
#include "tests/support/expect_error.h"

#include <gmock/gmock.h>

namespace sulcus::activation {
namespace {

using test::normal, test::optionsWith, test::Rng;
using ::testing::ElementsAre, ::testing::HasSubstr;

/// A run with effects of these names and one drift column.
Design runOf(int scans, const std::vector<std::string>& effects, double phase) {
  Design run;
  run.names = {"intercept"};
  run.names.insert(run.names.end(), effects.begin(), effects.end());
  run.confoundNames = {"drift1"};
  run.matrix.resize(scans, Eigen::Index(run.names.size()));
  run.confounds.resize(scans, 1);
  for (int t = 0; t < scans; ++t) {
    for (Eigen::Index j = 0; j < run.matrix.cols(); ++j)
      run.matrix(t, j) = j == 0 ? 1.0 : std::sin((0.3 + 0.2 * double(j)) * t + phase);
    run.confounds(t, 0) = 2.0 * t / (scans - 1) - 1;
  }
  return run;
}

/// The series of one run in `voxels` voxels.
std::shared_ptr<Series<float>> seriesOf(const Design& design, int voxels, double base, std::uint64_t seed) {
  Rng rng(seed);
  Grid grid;
  grid.size = {voxels, 1, 1};
  auto bold = std::make_shared<Series<float>>(grid, design.scans());
  for (int i = 0; i < voxels; ++i)
    for (int t = 0; t < design.scans(); ++t)
      bold->at(i, t) = float(base * (1 + 0.1 * i) * (1 + 0.01 * (design.matrix(t, 1) + normal(rng))));
  return bold;
}

ActivationInput inputOf(std::vector<Design> runs, const std::vector<std::shared_ptr<Series<float>>>& series) {
  ActivationInput input;
  input.design = joinRuns(runs);
  auto all = std::make_shared<Series<float>>(*series.front());
  for (std::size_t r = 1; r < series.size(); ++r) {
    all->count += series[r]->count;
    all->values.insert(all->values.end(), series[r]->values.begin(), series[r]->values.end());
  }
  input.bold = all;
  input.mask = std::make_shared<const Mask>(all->grid, std::uint8_t(1));
  return input;
}

TEST(JoinRuns, SharesEffectsAndPartsWhatBelongsToARun) {
  Design first = runOf(6, {"see", "hear"}, 0), second = runOf(5, {"hear", "touch"}, 1);
  first.responses = {{1, 2}}, second.notes = {"a note."};

  const Design all = joinRuns({first, second});

  EXPECT_THAT(all.names, ElementsAre("intercept", "see", "hear", "touch"));
  EXPECT_THAT(all.confoundNames, ElementsAre("drift1_run1", "drift1_run2", "intercept_run2"));
  EXPECT_THAT(all.intercepts, ElementsAre(0, 6)) << "counted over regressors and confounds";
  EXPECT_EQ(all.scans(), 11);
  ASSERT_EQ(all.runs().size(), 2u);
  EXPECT_EQ(all.runs()[1].begin, 6);
  EXPECT_EQ(all.runs()[1].end, 11);
  EXPECT_EQ(all.matrix.col(0), Eigen::VectorXd::Ones(11));
  EXPECT_EQ(all.matrix.col(1).head(6), first.matrix.col(1));
  EXPECT_EQ(all.matrix.col(1).tail(5), Eigen::VectorXd::Zero(5)) << "the second run lacks it";
  EXPECT_EQ(all.matrix.col(2).head(6), first.matrix.col(2));
  EXPECT_EQ(all.matrix.col(2).tail(5), second.matrix.col(1));
  EXPECT_EQ(all.confounds.col(0).tail(5), Eigen::VectorXd::Zero(5));
  EXPECT_EQ(all.confounds.col(1).tail(5), second.confounds.col(0));
  EXPECT_EQ(all.confounds.col(2).sum(), 5);
  EXPECT_THAT(all.responses, ElementsAre(ElementsAre(1, 2)));
  EXPECT_THAT(all.notes, testing::Contains("Run 2: a note."));
  EXPECT_THAT(all.notes, testing::Contains("Run 1 carries no information about touch."));
}

TEST(JoinRuns, KeepThePlacesOfRegressorsThatARunLacks) {
  const auto run = [](std::vector<double> values) {
    Design design;
    design.matrix = Eigen::MatrixXd::Zero(8, 4);
    design.matrix.col(0).setOnes();
    for (int t = 0; t < 8; ++t)
      for (int c = 1; c < 4; ++c) design.matrix(t, c) = values[std::size_t(c - 1)] * std::sin(c * t + 1);
    design.confounds.resize(8, 0);
    design.names = {"intercept", "a", "b", "c"}, design.given = {"intercept", "A", "B", "C"};
    return withoutEmptyColumns(design);
  };
  const Design both = joinRuns({run({0, 1, 0}), run({1, 1, 0})});
  EXPECT_EQ(both.names, (std::vector<std::string>{"intercept", "a", "b"}));
  EXPECT_EQ(both.given, (std::vector<std::string>{"intercept", "A", "B"}));
  ASSERT_EQ(both.leftOut.size(), 1u);
  EXPECT_EQ(both.leftOut[0].name, "c");
  EXPECT_EQ(both.leftOut[0].before, 3);
  EXPECT_EQ(both.matrix(0, 1), 0) << "the first run carries no information about a";
  EXPECT_NE(both.matrix(8, 1), 0);
}

TEST(JoinRuns, LeavesASingleRunAsItIs) {
  const Design one = runOf(6, {"see"}, 0);
  const Design all = joinRuns({one});
  EXPECT_EQ(all.names, one.names);
  EXPECT_EQ(all.matrix, one.matrix);
  EXPECT_EQ(all.confounds, one.confounds);
  ASSERT_EQ(all.runs().size(), 1u);
  EXPECT_EQ(all.runs()[0].end, 6);
}

TEST(JoinRuns, RefusesARunThatIsTooShort) {
  test::expectError(
      [] {
        joinRuns({runOf(20, {"see"}, 0), runOf(3, {"see"}, 0)});
      },
      {"Run 2 has 3 scans", "at least 4"});
}

/// The effect of both runs is the mean of the effects of each, weighted by their precision.
TEST(SeveralRuns, GiveThePrecisionWeightedMeanOfTheRuns) {
  const std::vector<Design> runs{runOf(40, {"see"}, 0), runOf(70, {"see"}, 0.7)};
  const std::vector series{seriesOf(runs[0], 6, 100, 1), seriesOf(runs[1], 6, 250, 2)};
  auto options = optionsWith(Response::percent);
  options.noise = Noise::white;

  const ActivationResult both = prepareActivation(inputOf(runs, series), options, {});

  std::vector<ActivationResult> each;
  std::vector<double> told;  // the noise variance over the variance of the effect
  for (std::size_t r = 0; r < 2; ++r) {
    each.push_back(prepareActivation(inputOf({runs[r]}, {series[r]}), options, {}));
    const Eigen::MatrixXd x = runs[r].allColumns();
    told.push_back(1 / inverse(x.transpose() * x)(1, 1));
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const double mean =
        (told[0] * each[0].leastSquares[6 + i] + told[1] * each[1].leastSquares[6 + i]) / (told[0] + told[1]);
    EXPECT_NEAR(both.leastSquares[6 + i], mean, 1e-5) << i;
  }
}

/// Two runs of the same length give twice the information: the standard error falls by √2.
TEST(SeveralRuns, HalveTheVarianceOfTheEffect) {
  const int voxels = 300;
  const std::vector<Design> runs{runOf(100, {"see"}, 0), runOf(100, {"see"}, 0)};
  const std::vector series{seriesOf(runs[0], voxels, 100, 3), seriesOf(runs[1], voxels, 140, 4)};
  const auto result = [&](const ActivationInput& input) {
    return analyzeActivation(input, optionsWith(Response::percent), {});
  };
  const auto meanError = [&](const ActivationResult& of) {
    std::vector<double> c(std::size_t(of.regressors()), 0.0);
    c[1] = 1;
    const auto estimates = estimateContrast(of, c);
    double sum = 0;
    for (const float e : estimates.error) sum += e * e / voxels;
    return std::sqrt(sum);
  };
  const auto both = result(inputOf(runs, series)), one = result(inputOf({runs[0]}, {series[0]}));
  EXPECT_NEAR(meanError(one) / meanError(both), std::sqrt(2.0), 0.03);
  double mean = 0;
  for (int i = 0; i < voxels; ++i) mean += both.mean[std::size_t(voxels + i)] / voxels;
  EXPECT_NEAR(mean, 1, 0.03) << "the effect is 1 % of the mean of each run";
}

/// Least squares by numpy on the same two series, in percent of the mean of each run.
TEST(SeveralRuns, HaveTheCoefficientsOfOneLongRegression) {
  const std::vector<Design> runs{runOf(9, {"see"}, 0), runOf(7, {"see"}, 0.5)};
  std::vector<std::shared_ptr<Series<float>>> series;
  for (std::size_t r = 0; r < 2; ++r) {
    Grid grid;
    grid.size = {1, 1, 1};
    series.push_back(std::make_shared<Series<float>>(grid, runs[r].scans()));
    for (int t = 0; t < runs[r].scans(); ++t)
      series[r]->at(0, t) = float(r == 0 ? 100 + 3 * t - t * t : 40 + (t % 3) * 2.5 + t);
  }
  auto options = optionsWith(Response::percent);
  options.noise = Noise::white;
  ActivationInput input = inputOf(runs, series);
  input.design = withModelledConfounds(std::move(input.design));
  const ActivationResult result = prepareActivation(input, options, {});
  const double expected[] = {-3.637259, 11.44714, -16.80372, 12.50095, -2.276821};
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(result.leastSquares[j], expected[j], 2e-5) << j;
  EXPECT_NEAR(result.problem->residual[0], 171.1589, 2e-3);
}

/// A step between two runs is not autocorrelation: the plot of the residuals does not show it.
TEST(SeveralRuns, HaveNoAutocorrelationAcrossTheirBorder) {
  const std::vector<Design> runs{runOf(12, {"see"}, 0), runOf(12, {"see"}, 0.5)};
  const std::vector series{seriesOf(runs[0], 8, 100, 5), seriesOf(runs[1], 8, 100, 6)};
  auto options = optionsWith(Response::raw);
  options.noise = Noise::white;
  const auto input = inputOf(runs, series);
  const ActivationResult result = analyzeActivation(input, options, {});
  const Eigen::MatrixXd q = thinQr(input.design.allColumns()).q;
  Eigen::VectorXd y(24);
  for (int t = 0; t < 24; ++t) y(t) = input.bold->at(0, t);
  const Eigen::VectorXd r = y - q * (q.transpose() * y);
  const Chart chart = residualAutocorrelation(result, 0, "");
  const double within = r.segment(1, 11).dot(r.segment(0, 11)) + r.segment(13, 11).dot(r.segment(12, 11));
  EXPECT_NEAR(chart.series.back().y.front(), within / r.squaredNorm(), 1e-4);
}

TEST(JoinRuns, TheSpectrumOfResidualsIsThatOfEachRun) {
  const std::vector<Design> runs{runOf(64, {"see"}, 0), runOf(80, {"see"}, 1)};
  std::vector<std::shared_ptr<Series<float>>> series{seriesOf(runs[0], 1, 100, 1),
                                                     seriesOf(runs[1], 1, 100, 2)};
  for (int r = 0; r < 2; ++r)  // a wave that starts again, with the other sign, in the second run
    for (int t = 0; t < series[std::size_t(r)]->count; ++t)
      series[std::size_t(r)]->at(0, t) += float((r == 0 ? 8 : -8) * std::sin(2 * M_PI * t / 4));
  ActivationOptions options;
  options.draws = 100, options.noise = Noise::white;
  const auto result = analyzeActivation(inputOf(runs, series), options, {});
  const Chart chart = residualSpectrum(result, 0, "");
  ASSERT_EQ(chart.series.size(), 1u);
  const auto &x = chart.series[0].x, &y = chart.series[0].y;
  ASSERT_EQ(x.size(), 32u) << "frequencies of the shorter run";
  EXPECT_DOUBLE_EQ(x.back(), 0.5);
  const auto peak = std::max_element(y.begin(), y.end()) - y.begin();
  EXPECT_NEAR(x[std::size_t(peak)], 0.25, 3.5 / 64) << "smoothed over 3 frequencies on either side";
  EXPECT_GT(y[15], 3) << "all of the wave's power";
}

}  // namespace
}  // namespace sulcus::activation
