#include "core/activation/model/noise.h"

#include "core/activation/model/gibbs_problem.h"
#include "core/activation/model/neighbor_means.h"
#include "core/activation/results/contrast_estimates.h"
#include "core/activation/results/noise_charts.h"
#include "core/activation/results/posterior.h"
#include "core/math/linear_algebra.h"
#include "tests/core/activation/activation_inputs.h"
#include "tests/core/activation/tables.h"
#include "tests/support/effects_scan.h"

#include <Eigen/LU>
#include <gmock/gmock.h>

namespace sulcus::activation {
namespace {

using test::effectsNormal, test::effectsScan, test::EffectsScanOptions, test::Rng, test::SeriesNoise;
using ::testing::HasSubstr;

/// Autocorrelations 0 … n − 1 of the process, by its recursion.
Eigen::MatrixXd correlationOf(const Partials& partials, int n) {
  const NoiseFilter filter(partials);
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(n, n);
  for (int t = 0; t < n; ++t)
    for (int j = 0; j <= std::min(t, kNoiseLags); ++j)
      w(t, t - j) = filter.at[std::size_t(std::min(t, kNoiseLags))][std::size_t(j)];
  const Eigen::MatrixXd root = inverse(w);
  return root * root.transpose();
}

TEST(NoiseFilter, WhitensAStationaryProcessOfVarianceOne) {
  for (const Partials& partials : {Partials{0.5, 0, 0}, {0.3, -0.4, 0}, {-0.2, 0.3, 0.6}, {0, 0, 0}}) {
    const Eigen::MatrixXd c = correlationOf(partials, 12);
    for (int i = 0; i < 12; ++i) {
      EXPECT_NEAR(c(i, i), 1, 1e-12);
      for (int j = 1; j <= i; ++j) EXPECT_NEAR(c(i, j), c(i - 1, j - 1), 1e-12) << i << " " << j;
    }
    EXPECT_NEAR(c(1, 0), partials[0], 1e-12);
  }
  const Eigen::MatrixXd ar1 = correlationOf({0.5, 0, 0}, 8);
  for (int lag = 0; lag < 8; ++lag) EXPECT_NEAR(ar1(lag, 0), std::pow(0.5, lag), 1e-12);
}

TEST(FilteredSquares, AreThoseOfTheWhitenedMatrix) {
  Rng rng(3);
  Eigen::MatrixXd x(20, 4);
  for (auto& v : x.reshaped()) v = effectsNormal(rng);
  const std::vector<std::vector<activation::Run>> all{{{0, 20}}, {{0, 12}, {12, 20}}};
  for (const auto& runs : all) {
    const FilteredSquares squares(x, runs);
    for (const Partials& partials : {Partials{0.5, 0, 0}, {-0.2, 0.3, 0.6}}) {
      const NoiseFilter filter(partials);
      Eigen::MatrixXd wx(20, 4);
      for (int j = 0; j < 4; ++j) wx.col(j) = filter.whitened(x.col(j), runs);
      EXPECT_LT((squares(filter) - wx.transpose() * wx).norm(), 1e-12);
    }
  }
}

TEST(ResidualLagSums, AreWhatResidualsOfKnownNoiseHaveOnAverage) {
  Rng rng(4);
  const int n = 40;
  Eigen::MatrixXd x(n, 5);
  for (auto& v : x.reshaped()) v = effectsNormal(rng);
  const Eigen::MatrixXd q = thinQr(x).q;
  const Eigen::MatrixXd r = Eigen::MatrixXd::Identity(n, n) - q * q.transpose();
  // A moving average, whose autocovariances beyond lag 3 are zero.
  const Eigen::Vector4d covariance(1, 0.5, 0.2, -0.1);
  Eigen::MatrixXd v = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (std::abs(i - j) <= 3) v(i, j) = covariance(std::abs(i - j));
  const Eigen::MatrixXd ofResiduals = r * v * r;
  const Eigen::Vector4d sums = residualLagSums(q, {{0, n}}) * covariance;
  for (int l = 0; l <= 3; ++l) EXPECT_NEAR(sums(l), ofResiduals.diagonal(-l).sum(), 1e-10) << l;
  // With two runs, neither the noise nor the sums extend across the border.
  v.topRightCorner(25, 15).setZero(), v.bottomLeftCorner(15, 25).setZero();
  const Eigen::MatrixXd ofRuns = r * v * r;
  const Eigen::Vector4d within = residualLagSums(q, {{0, 25}, {25, n}}) * covariance;
  for (int l = 0; l <= 3; ++l)
    EXPECT_NEAR(
        within(l),
        ofRuns.topLeftCorner(25, 25).diagonal(-l).sum() + ofRuns.bottomRightCorner(15, 15).diagonal(-l).sum(),
        1e-10)
        << l;
}

TEST(WhiteEstimates, WithoutConfoundsAreThoseOfTheTextbook) {
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(200, 1);
  const auto white = whiteEstimates(none, {{0, 200}}, residualLagSums(none, {{0, 200}}).inverse());
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(white.mean[j], 0, 0.01);
    EXPECT_NEAR(white.variance[j] * 200, 1, 0.15);
    EXPECT_NEAR(white.gain[j], white.variance[j], 0.02 * white.variance[j]);
  }
}

TEST(WhiteEstimates, KnowWhatSlowConfoundsDoToOtherSeries) {
  Rng rng(9);
  const int n = 120;
  Eigen::MatrixXd x = Eigen::MatrixXd::Ones(n, 25);  // random walks, like head motion
  for (int j = 1; j < 25; ++j)
    for (int t = 1; t < n; ++t) x(t, j) = x(t - 1, j) + effectsNormal(rng);
  const Eigen::MatrixXd q = thinQr(x).q;
  const Eigen::Matrix4d toCovariance = residualLagSums(q, {{0, n}}).inverse();
  const auto white = whiteEstimates(q, {{0, n}}, toCovariance);
  EXPECT_GT(white.variance[0], 2.0 / n);
  EXPECT_LT(white.mean[2], -0.02);
  double sum = 0, square = 0;
  const int series = 4000;
  for (int i = 0; i < series; ++i) {
    Eigen::VectorXd y(n);
    for (auto& v : y) v = effectsNormal(rng);
    y -= q * (q.transpose() * y);
    Eigen::Vector4d lags;
    for (int l = 0; l <= 3; ++l) lags(l) = y.tail(n - l).dot(y.head(n - l));
    const Eigen::Vector4d covariance = toCovariance * lags;
    const double fisher = std::atanh(std::clamp(covariance(1) / covariance(0), -0.95, 0.95));
    sum += fisher, square += fisher * fisher;
  }
  const double mean = sum / series, variance = square / series - mean * mean;
  EXPECT_NEAR(white.mean[0], mean, 4 * std::sqrt(variance / 1000));
  EXPECT_NEAR(white.variance[0] / variance, 1, 0.15);
}

TEST(NeighborMeans, LeaveTheVoxelItselfOutAndStayWithinTissue) {
  Grid grid;
  grid.size = {9, 9, 1};
  std::vector<std::int64_t> voxels;
  for (std::int64_t i = 0; i < 81; ++i) voxels.push_back(i);
  std::vector<float> one(81, 0.0f);
  one[40] = 1;
  const auto means = NeighborMeans(grid, voxels, nullptr, {})(one, {});
  EXPECT_NEAR(means[40], 0, 1e-6);
  EXPECT_GT(means[41], means[43]);

  // Two tissues side by side, with different values.
  Series<float> tissue(grid, 1);
  std::vector<float> values(81);
  for (std::int64_t i = 0; i < 81; ++i) {
    tissue.at(i, 0) = i % 9 < 4 ? 1.0f : 0.0f;
    values[std::size_t(i)] = i % 9 < 4 ? 5.0f : 2.0f;
  }
  const auto within = NeighborMeans(grid, voxels, &tissue, {})(values, {});
  for (std::size_t i = 0; i < 81; ++i) EXPECT_NEAR(within[i], values[i], 1e-4) << i;
  const std::vector<std::int64_t> alone{40};
  EXPECT_NEAR(NeighborMeans(grid, alone, nullptr, {})(std::vector<float>{3}, {})[0], 3, 1e-6);
}

ActivationResult prepared(const EffectsScanOptions& scan, Noise noise) {
  ActivationOptions options;
  options.noise = noise;
  return prepareActivation(effectsScan(scan).input, options, {});
}

EffectsScanOptions smallScan(SeriesNoise noise) {
  EffectsScanOptions scan;
  scan.size = {14, 14, 8}, scan.noise = noise;
  return scan;
}

TEST(Noise, IsFoundWhereItIs) {
  const auto uniform = prepared(smallScan(SeriesNoise::ar1), Noise::automatic);
  ASSERT_TRUE(uniform.noise);
  EXPECT_GT(double(uniform.noise->voxelsOfOrder[1]) / double(uniform.count()), 0.9);
  EXPECT_NEAR(std::tanh(uniform.noise->typical[0]), 0.4, 0.02) << "no bias";
  double error = 0;
  for (std::int64_t i = 0; i < uniform.count(); ++i)
    error += std::abs(uniform.noise->at(i)[0] - 0.4) / double(uniform.count());
  EXPECT_LT(error, 0.04) << "neighbors help: alone a voxel errs by 0.055";

  const auto white = prepared(smallScan(SeriesNoise::white), Noise::automatic);
  EXPECT_TRUE(!white.noise || white.noise->voxelsOfOrder[0] > white.count() * 0.9);
  EXPECT_FALSE(prepared(smallScan(SeriesNoise::ar1), Noise::white).noise);
  EXPECT_EQ(prepared(smallScan(SeriesNoise::white), Noise::ar2).noise->voxelsOfOrder[2], uniform.count());
}

TEST(Noise, IsWhiteWhereItIsThoughManySlowConfoundsAreTakenOut) {
  EffectsScanOptions scan = smallScan(SeriesNoise::white);
  scan.scans = 120;
  ActivationInput input = effectsScan(scan).input;
  Rng rng(3);
  Eigen::MatrixXd& confounds = input.design.confounds;
  const Eigen::Index before = confounds.cols();
  confounds.conservativeResize(scan.scans, before + 24);
  for (Eigen::Index j = before; j < confounds.cols(); ++j) {
    double walk = 0;
    for (auto& value : confounds.col(j)) value = walk += effectsNormal(rng);
    confounds.col(j).array() -= confounds.col(j).mean();
  }
  ActivationOptions options;
  options.noise = Noise::automatic;
  const ActivationResult result = prepareActivation(input, options, {});
  if (result.noise) EXPECT_GT(double(result.noise->voxelsOfOrder[0]) / double(result.count()), 0.95);
}

TEST(Noise, OfAVoxelThatDiffersFromItsNeighborsIsItsOwn) {
  EffectsScanOptions options = smallScan(SeriesNoise::mixed);
  const auto result = prepared(options, Noise::automatic);
  ASSERT_TRUE(result.noise);
  double mean = 0, square = 0;
  for (std::int64_t i = 0; i < result.count(); ++i) {
    const double rho = result.noise->at(i)[0];
    mean += rho / double(result.count()), square += rho * rho / double(result.count());
  }
  // ρ is uniform in 0 … 0.6: its s.d. is 0.173.
  EXPECT_NEAR(mean, 0.3, 0.02);
  EXPECT_NEAR(std::sqrt(square - mean * mean), 0.173, 0.02);
  EXPECT_GT(result.noise->own[0], 0.8);
}

TEST(Noise, WhitensSeriesAndDesignOfEachVoxelAsTheTextbookDoes) {
  EffectsScanOptions scan = smallScan(SeriesNoise::mixed);
  scan.size = {6, 6, 4}, scan.scans = 60;
  const auto result = prepared(scan, Noise::ar2);
  const GibbsProblem& p = *result.problem;
  const Eigen::MatrixXd x = result.design.allColumns();  // two regressors and the cosine of drift
  const Eigen::Index k = result.design.regressors();
  ASSERT_TRUE(p.correlated);
  ASSERT_GT(x.cols(), k);
  std::vector<double> task(std::size_t(k), 0.0);
  task[1] = 1;
  const auto estimates = estimateContrast(result, task);
  for (std::int64_t i = 0; i < result.count(); i += 13) {
    Eigen::VectorXd y(60);
    for (int t = 0; t < 60; ++t) y(t) = result.bold->at(result.voxels[std::size_t(i)], t);
    y = (y.array() - y.mean()).matrix();
    y /= std::sqrt(y.squaredNorm() / 59);
    const Eigen::MatrixXd precision = inverse(correlationOf(result.noise->at(i), 60));
    const Eigen::MatrixXd xx = x.transpose() * precision * x;
    const Eigen::VectorXd beta = solvePositiveDefinite(xx, Eigen::VectorXd(x.transpose() * precision * y));
    const Eigen::VectorXd r = y - x * beta;
    EXPECT_NEAR(p.residual[std::size_t(i)] / r.dot(precision * r), 1, 1e-5);
    const double variance = r.dot(precision * r) / double(60 - x.cols());
    EXPECT_NEAR(estimates.error[std::size_t(i)] / std::sqrt(variance * inverse(xx)(1, 1)), 1, 1e-4);
    for (Eigen::Index j = 0; j < k; ++j)
      EXPECT_NEAR(result.leastSquares[std::size_t(j * result.count() + i)], beta(j), 1e-4);
    const Eigen::MatrixXd l = p.factor;
    // For the regressors alone: the inverse of their covariance.
    const Eigen::MatrixXd own = inverse(Eigen::MatrixXd(inverse(xx).topLeftCorner(k, k)));
    const Eigen::MatrixXd h = solveLower(l, Eigen::MatrixXd(solveLower(l, own).transpose()));
    for (Eigen::Index a = 0, at = 0; a < k; ++a)
      for (Eigen::Index b = 0; b <= a; ++b, ++at)
        EXPECT_NEAR(p.precision[std::size_t(at * result.count() + i)], h(a, b), 1e-5);
  }
}

TEST(Noise, OfASliceIsTheSameAloneAsAmongOthers) {
  EffectsScanOptions scan = smallScan(SeriesNoise::mixed);
  scan.size = {10, 10, 3};
  const auto input = effectsScan(scan).input;
  ActivationOptions options;
  options.scope = Scope::slices;
  const auto all = prepareActivation(input, options, {});
  options.slice = 2;
  const auto one = prepareActivation(input, options, {});
  ASSERT_TRUE(all.noise && one.noise);
  for (std::int64_t i = 0; i < one.count(); ++i) EXPECT_EQ(one.noise->at(i), all.noise->at(100 + i));
}

TEST(Noise, OfFewScansIsTakenForWhiteOrRefused) {
  const auto input = test::wavesInput({4, 3, 2}, 20, 3);
  ActivationOptions options;
  const auto result = prepareActivation(input, options, {});
  EXPECT_FALSE(result.noise);
  EXPECT_THAT(test::joined(result.notes),
              HasSubstr("The noise is taken for white: 17 residual degrees of freedom"));
  options.noise = Noise::ar1;
  test::expectError([&] { prepareActivation(input, options, {}); },
                    {"17 residual degrees of freedom", "noise white"}, ErrorKind::usage);
}

TEST(Noise, GivesZMapsOfSpreadOneWhereThereIsNoEffect) {
  for (const auto noise : {SeriesNoise::white, SeriesNoise::ar1, SeriesNoise::mixed, SeriesNoise::pink}) {
    const auto result = prepared(smallScan(noise), Noise::automatic);
    std::vector<double> task(std::size_t(result.regressors()), 0.0);
    task[1] = 1;
    const auto estimates = estimateContrast(result, task);
    double square = 0;
    for (std::size_t i = 0; i < estimates.effect.size(); ++i)
      square += estimates.z(i) * estimates.z(i) / double(estimates.effect.size());
    EXPECT_NEAR(std::sqrt(square), 1, 0.06) << int(noise);
  }
}

TEST(EffectiveFreedom, IsLessWhereTheNoiseOfEachVoxelIsItsOwn) {
  const auto alike = prepared(smallScan(SeriesNoise::ar1), Noise::automatic),
             apart = prepared(smallScan(SeriesNoise::mixed), Noise::automatic);
  const auto freedomOf = [](const ActivationResult& result) {
    Eigen::VectorXd c = Eigen::VectorXd::Zero(result.regressors());
    c(1) = 1;
    const Eigen::VectorXd inGamma = solveLower(result.problem->factor, c);
    auto freedom =
        effectiveFreedom(*result.noise, inGamma, result.problem->scans - result.problem->regressors);
    std::sort(freedom.begin(), freedom.end());
    return freedom;
  };
  const auto together = freedomOf(alike), single = freedomOf(apart);
  const std::size_t middle = together.size() / 2;
  EXPECT_GT(together[middle], 80);
  EXPECT_LT(together[middle], 194);
  EXPECT_LT(single[middle], 80);
  EXPECT_GT(single[middle], 20);
  EXPECT_LT(single.front(), 0.95 * single[middle]) << "it depends on the memory";
}

/// The mean share of the voxels of scans without effect with P(effect > 0) > 0.95.
double nullShare(SeriesNoise noise, test::Paradigm paradigm, Noise setting) {
  EffectsScanOptions scan = smallScan(noise);
  scan.paradigm = paradigm;
  ActivationOptions options;
  options.noise = setting, options.draws = 400, options.thinning = 2;
  const auto result = analyzeActivation(effectsScan(scan).input, options, {});
  std::vector<double> c(std::size_t(result.regressors()), 0.0);
  c[1] = 1;
  double count = 0;
  for (std::int64_t i = 0; i < result.count(); ++i) count += exceedanceAt(result, c, 0, i) > 0.95f;
  return count / double(result.count());
}

TEST(Noise, WithMemoryDoesNotPassForAnEffect) {
  for (const auto paradigm : {test::Paradigm::blocks, test::Paradigm::events})
    for (const auto noise : {SeriesNoise::white, SeriesNoise::ar1, SeriesNoise::mixed, SeriesNoise::pink})
      EXPECT_LE(nullShare(noise, paradigm, Noise::automatic), 0.02) << int(noise) << " " << int(paradigm);
  EXPECT_GT(nullShare(SeriesNoise::ar1, test::Paradigm::blocks, Noise::white), 0.05) << "as it would without";
}

TEST(NoiseCharts, ShowResidualsWithMemoryBeforeAndWithoutAfter) {
  const auto result = prepared(smallScan(SeriesNoise::ar1), Noise::automatic);
  double before = 0, after = 0, low = 0, lowAfter = 0;
  for (std::int64_t i = 0; i < 100; ++i) {
    const Chart lags = residualAutocorrelation(result, i, "voxel"),
                power = residualSpectrum(result, i, "voxel");
    ASSERT_EQ(lags.series.size(), 3u);  // limits for white noise, before, after
    before += lags.series[1].y[0] / 100, after += lags.series[2].y[0] / 100;
    ASSERT_EQ(power.series.size(), 2u);
    low += power.series[0].y[10] / 100, lowAfter += power.series[1].y[10] / 100;
  }
  EXPECT_GT(before, 0.3);
  EXPECT_NEAR(after, 0, 0.05);
  EXPECT_GT(low, 1.5);
  EXPECT_NEAR(lowAfter, 1, 0.2);
  EXPECT_TRUE(residualSpectrum(result, -1, "").series.empty());
}

}  // namespace
}  // namespace sulcus::activation
