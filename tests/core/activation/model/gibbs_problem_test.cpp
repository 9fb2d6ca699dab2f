#include "core/activation/model/gibbs_problem.h"

#include "core/activation/results/contrast_estimates.h"
#include "core/math/linear_algebra.h"
#include "tests/core/activation/activation_inputs.h"
#include "tests/core/activation/tables.h"

#include <limits>

#include <gmock/gmock.h>

namespace sulcus::activation {
namespace {

using test::expectError, test::joined, test::optionsWith, test::wavesInput;
using ::testing::HasSubstr, ::testing::Not;

/// The response of a voxel, computed by its definition.
Eigen::VectorXd responseOf(const ActivationInput& input, Response response, std::int64_t voxel) {
  Eigen::VectorXd y(input.bold->count);
  for (int t = 0; t < input.bold->count; ++t) y(t) = input.bold->at(voxel, t);
  const double mean = y.mean(), sd = std::sqrt((y.array() - mean).square().sum() / double(y.size() - 1));
  if (response == Response::standardized) return (y.array() - mean) / sd;
  if (response == Response::percent) return 100 * (y.array() / mean - 1);
  return y;
}

class LeastSquares : public ::testing::TestWithParam<Response> {};

TEST_P(LeastSquares, AreThoseOfTheTextbookInEveryVoxel) {
  const auto input = wavesInput({7, 5, 3}, 40, 4);
  const auto result = prepareActivation(input, optionsWith(GetParam()), {});
  const GibbsProblem& problem = *result.problem;
  const Eigen::MatrixXd& x = input.design.matrix;
  ASSERT_EQ(result.count(), 105);
  EXPECT_EQ(problem.scans, 40);
  EXPECT_LT((problem.factor * problem.factor.transpose() - x.transpose() * x).norm(), 1e-10);
  EXPECT_TRUE(problem.factor.isLowerTriangular());
  EXPECT_GT(problem.factor.diagonal().minCoeff(), 0);
  for (std::int64_t i = 0; i < 105; ++i) {
    const Eigen::VectorXd y = responseOf(input, GetParam(), i);
    const Eigen::VectorXd b = solvePositiveDefinite(x.transpose() * x, Eigen::VectorXd(x.transpose() * y));
    const Eigen::VectorXd gamma = problem.factor.transpose() * b;
    const double rss = (y - x * b).squaredNorm(), size = y.norm();
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(result.leastSquares[std::size_t(j * 105 + i)], b(j), 1e-6 * size);
      EXPECT_NEAR(problem.estimate[std::size_t(j * 105 + i)], gamma(j), 1e-6 * size);
    }
    EXPECT_NEAR(problem.residual[std::size_t(i)], rss, 1e-6 * rss);
    EXPECT_NEAR(problem.errorPrior[std::size_t(i)], rss / 36, 1e-6 * rss);
    EXPECT_EQ(problem.voxelId[std::size_t(i)], i);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, LeastSquares,
                         ::testing::Values(Response::standardized, Response::percent, Response::raw));

/// X for a slice: the regressors shifted later by part of a scan.
Eigen::MatrixXd laterBy(double scans, const Eigen::MatrixXd& matrix) {
  Eigen::MatrixXd later = matrix;
  for (Eigen::Index t = 0; t + 1 < matrix.rows(); ++t)
    later.row(t) = (1 - scans) * matrix.row(t) + scans * matrix.row(t + 1);
  return later;
}

TEST(LeastSquares, AreOfTheDesignOfEachSlice) {
  auto input = wavesInput({7, 5, 3}, 60, 4);
  input.design.confounds = Eigen::VectorXd::LinSpaced(60, -1, 1);
  input.design.confoundNames = {"drift"};
  const Eigen::MatrixXd reference = input.design.matrix;
  for (const double later : {0.0, 0.6, 0.3}) input.design.ofSlices.push_back(laterBy(later, reference));
  auto options = optionsWith(Response::raw);
  options.noise = Noise::white;
  const auto result = prepareActivation(input, options, {});
  const GibbsProblem& problem = *result.problem;
  ASSERT_EQ(result.count(), 105);
  EXPECT_TRUE(problem.correlated);
  const Eigen::MatrixXd l = problem.factor;
  for (std::int64_t i = 0; i < 105; ++i) {
    const Eigen::VectorXd y = input.design.withoutConfounds(responseOf(input, Response::raw, i));
    const Eigen::MatrixXd x = input.design.withoutConfounds(input.design.ofSlices[std::size_t(i / 35)]);
    const Eigen::MatrixXd xx = x.transpose() * x;
    const Eigen::VectorXd b = solvePositiveDefinite(xx, Eigen::VectorXd(x.transpose() * y));
    const Eigen::MatrixXd h = inverse(l) * xx * inverse(l).transpose();
    for (int j = 0; j < 4; ++j)
      EXPECT_NEAR(result.leastSquares[std::size_t(j * 105 + i)], b(j), 1e-6 * y.norm());
    EXPECT_NEAR(problem.residual[std::size_t(i)], (y - x * b).squaredNorm(), 1e-5 * y.squaredNorm());
    for (int a = 0, at = 0; a < 4; ++a)
      for (int c = 0; c <= a; ++c, ++at)
        EXPECT_NEAR(problem.precision[std::size_t(at * 105 + i)], h(a, c), 1e-5);
  }
  // With whitening as well: slices that all represent one time make no difference.
  options.noise = Noise::ar1;
  input.design.ofSlices.assign(3, reference);
  const auto same = prepareActivation(input, options, {});
  input.design.ofSlices.clear();
  const auto plain = prepareActivation(input, options, {});
  for (std::size_t i = 0; i < plain.problem->estimate.size(); ++i)
    EXPECT_NEAR(same.problem->estimate[i], plain.problem->estimate[i], 1e-5 * plain.problem->factor(0, 0));
  for (std::size_t i = 0; i < plain.problem->precision.size(); ++i)
    EXPECT_NEAR(same.problem->precision[i], plain.problem->precision[i], 1e-5);
}

TEST(GibbsProblem, KeepsResidualsOfANearlyPerfectFit) {
  auto input = wavesInput({1, 1, 1}, 40, 2);
  auto bold = std::make_shared<Series<float>>(*input.bold);
  for (int t = 0; t < 40; ++t) bold->at(0, t) = float(input.design.matrix(t, 1));
  bold->at(0, 7) += 1e-3f;
  input.bold = bold;
  Eigen::VectorXd y(40);
  for (int t = 0; t < 40; ++t) y(t) = bold->at(0, t);
  const Eigen::MatrixXd& x = input.design.matrix;
  const double rss =
      (y - x * solvePositiveDefinite(x.transpose() * x, Eigen::VectorXd(x.transpose() * y))).squaredNorm();
  const auto result = prepareActivation(input, optionsWith(Response::raw), {});
  EXPECT_NEAR(result.problem->residual[0], rss, 1e-5 * rss);
}

TEST(GibbsProblem, TakesTheWholeVarianceAsNoisePriorWhereAsked) {
  auto options = optionsWith(Response::standardized);
  options.errorPrior = ErrorPrior::total;
  const auto result = prepareActivation(wavesInput({4, 1, 1}, 30, 3), options, {});
  for (const float s2 : result.problem->errorPrior) EXPECT_NEAR(s2, 1, 1e-6);
}

TEST(GibbsProblem, HasTheRequestedPriors) {
  const auto input = wavesInput({6, 4, 2}, 40, 3);
  auto options = optionsWith(Response::raw);
  options.vScale = 0.7, options.nuE = 4, options.covariance = Covariance::full;
  const auto fixed = prepareActivation(input, options, {});
  EXPECT_EQ(fixed.problem->nu, 7);
  const Eigen::MatrixXd& l = fixed.problem->factor;
  // The V of β is 7 · 0.7 I, and γ = L'β.
  EXPECT_LT((fixed.problem->groups[0].priorScale - 4.9 * l.transpose() * l).norm(), 1e-9);
  EXPECT_THAT(joined(fixed.notes), HasSubstr("ν = 7, V = 0.7 ν I"));

  options.vScale = 0, options.nu = 10;
  const auto spread = prepareActivation(input, options, {});
  Eigen::MatrixXd b(48, 3);
  for (int i = 0; i < 48; ++i)
    for (int j = 0; j < 3; ++j) b(i, j) = spread.leastSquares[std::size_t(j * 48 + i)];
  const Eigen::RowVectorXd variance = (b.rowwise() - b.colwise().mean()).colwise().squaredNorm() / 48;
  const Eigen::MatrixXd expected = 10 * l.transpose() * variance.asDiagonal() * l;
  EXPECT_LT((spread.problem->groups[0].priorScale - expected).norm(), 1e-5 * expected.norm());
  EXPECT_THAT(joined(spread.notes), HasSubstr("least-squares coefficients"));
}

TEST(GibbsProblem, PutsAConditionAndItsDerivativesInABlock) {
  auto input = wavesInput({6, 4, 2}, 40, 4);
  input.design.responses = {{2, 3}};
  auto options = optionsWith(Response::raw);
  EXPECT_EQ(prepareActivation(input, options, {}).problem->block, (std::vector{0, 1, 2, 2}));
  options.covariance = Covariance::diagonal;
  const auto diagonal = prepareActivation(input, options, {});
  EXPECT_EQ(diagonal.problem->block, (std::vector{0, 1, 2, 3}));
  options.covariance = Covariance::full;
  EXPECT_TRUE(prepareActivation(input, options, {}).problem->block.empty());
  // Blocks are for coefficients whose intercept is the mean level: the other columns have mean 0.
  const Eigen::MatrixXd& t = diagonal.problem->centering;
  const Eigen::MatrixXd columns = input.design.matrix * inverse(t);
  EXPECT_LT((columns.col(0) - Eigen::VectorXd::Ones(40)).norm(), 1e-12);
  EXPECT_LT(columns.rightCols(3).colwise().sum().norm(), 1e-10);
  EXPECT_LT((t.bottomRows(3) - Eigen::MatrixXd::Identity(4, 4).bottomRows(3)).norm(), 1e-12);
  // V has no covariances between these: the prior transformed back is diagonal.
  const Eigen::MatrixXd toBlocks = t * inverse(diagonal.problem->factor.transpose());
  const Eigen::MatrixXd v = toBlocks * diagonal.problem->groups[0].priorScale * toBlocks.transpose();
  EXPECT_LT((v - Eigen::MatrixXd(v.diagonal().asDiagonal())).norm(), 1e-9 * v.norm());
}

TEST(GibbsProblem, GivesAResponseWithoutMeanAPriorThatCanBeInverted) {
  auto input = wavesInput({6, 4, 2}, 40, 3);
  auto& x = input.design.matrix;
  x.rightCols(2).rowwise() -= x.rightCols(2).colwise().mean().eval();  // so that the intercept is 0
  const auto result = prepareActivation(input, optionsWith(Response::standardized), {});
  EXPECT_GT(symmetricEigenvalues(result.problem->groups[0].priorScale)[0], 0);
  EXPECT_GT(result.problem->groups[0].priorScale.diagonal().minCoeff(), 1e-3);
}

/// An input of waves, the last `confounds` of which are confounds.
ActivationInput withConfounds(ActivationInput input, int confounds) {
  Design& design = input.design;
  design.confounds = design.matrix.rightCols(confounds);
  design.confoundNames.assign(design.names.end() - confounds, design.names.end());
  design.matrix.conservativeResize(Eigen::NoChange, design.regressors() - confounds);
  design.names.resize(design.names.size() - std::size_t(confounds));
  return input;
}

/// The coefficients and residuals of the regressors equal those of the regression on all columns, and their
/// covariance is that block of its covariance (Frisch, Waugh and Lovell).
TEST(GibbsProblem, RemovesConfoundsFromSeriesAndRegressors) {
  const auto all = wavesInput({5, 4, 1}, 60, 6);
  for (const Noise noise : {Noise::white, Noise::ar2}) {
    auto options = optionsWith(Response::raw);
    options.noise = noise;
    const auto whole = prepareActivation(all, options, {});
    const auto part = prepareActivation(withConfounds(all, 3), options, {});
    const GibbsProblem &of = *whole.problem, &problem = *part.problem;
    EXPECT_EQ(problem.regressors, 3);
    EXPECT_EQ(problem.scans - problem.regressors, of.scans - of.regressors);
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_NEAR(problem.residual[i], of.residual[i], 1e-5 * of.residual[i]);
      EXPECT_NEAR(problem.errorPrior[i], of.errorPrior[i], 1e-5 * of.errorPrior[i]);
      for (std::size_t j = 0; j < 3; ++j)
        EXPECT_NEAR(part.leastSquares[j * 20 + i], whole.leastSquares[j * 20 + i], 2e-5 * 100);
      const auto covarianceOf = [i](const GibbsProblem& p) {
        const int k = p.regressors;
        Eigen::MatrixXd h = Eigen::MatrixXd::Identity(k, k);
        for (int a = 0, at = 0; p.correlated && a < k; ++a)
          for (int b = 0; b <= a; ++b, ++at) h(a, b) = h(b, a) = p.precision[std::size_t(at) * 20 + i];
        return inverse(p.factor * h * p.factor.transpose());
      };
      const Eigen::MatrixXd expected = covarianceOf(of).topLeftCorner(3, 3);
      EXPECT_LT((covarianceOf(problem) - expected).norm(), 1e-5 * expected.norm()) << i;
    }
    const std::vector<double> weights{0, 1, -1, 0, 0, 0};
    const auto expected = estimateContrast(whole, weights);
    const auto found = estimateContrast(part, std::span(weights).first(3));
    for (std::size_t i = 0; i < 20; ++i) {
      EXPECT_NEAR(found.error[i], expected.error[i], 1e-5 * expected.error[i]);
      EXPECT_NEAR(found.freedom[i], expected.freedom[i], 1e-4 * expected.freedom[i]);
    }
  }
}

/// Integrating out confounds uses only what no confound can explain: the posterior is that of series and
/// regressors along an orthonormal basis of the rest, of n − r numbers.
TEST(GibbsProblem, HasThePosteriorOfWhatNoConfoundExplains) {
  const auto input = withConfounds(wavesInput({6, 5, 2}, 50, 5), 2);
  const Design& design = input.design;
  const Eigen::MatrixXd rest =
      symmetricEigen(design.withoutConfounds(Eigen::MatrixXd::Identity(50, 50))).vectors.rightCols(48);
  ActivationInput reduced = input;
  reduced.design = Design();
  reduced.design.confounds.resize(48, 0);
  reduced.design.matrix = rest.transpose() * design.matrix, reduced.design.names = design.names;
  auto bold = std::make_shared<Series<float>>(input.bold->grid, 48);
  for (std::int64_t i = 0; i < 60; ++i) {
    Eigen::VectorXd y(50);
    for (int t = 0; t < 50; ++t) y(t) = input.bold->at(i, t);
    const Eigen::VectorXd left = rest.transpose() * y;
    for (int t = 0; t < 48; ++t) bold->at(i, t) = float(left(t));
  }
  reduced.bold = bold;
  auto options = optionsWith(Response::raw);
  options.noise = Noise::white;
  const auto found = analyzeActivation(input, options, {}),
             expected = analyzeActivation(reduced, options, {});
  for (std::size_t i = 0; i < found.mean.size(); ++i) EXPECT_NEAR(found.mean[i], expected.mean[i], 2e-3) << i;
  for (std::size_t i = 0; i < 60; ++i)
    EXPECT_NEAR(found.samples->moments.sigma2Mean[i], expected.samples->moments.sigma2Mean[i],
                2e-3 * expected.samples->moments.sigma2Mean[i]);
}

TEST(GibbsProblem, MakesAGroupOfEachSliceWithVoxels) {
  auto input = wavesInput({3, 3, 4}, 30, 2);
  auto mask = std::make_shared<Mask>(input.bold->grid);
  for (const int voxel : {0, 4, 18, 19, 20, 35}) mask->values[std::size_t(voxel)] = 1;
  input.mask = mask;
  auto options = optionsWith(Response::raw);
  options.scope = Scope::slices;
  const auto result = prepareActivation(input, options, {});
  EXPECT_EQ(result.groupNames, (std::vector<std::string>{"slice 1", "slice 3", "slice 4"}));
  const auto& groups = result.problem->groups;
  EXPECT_EQ(groups[0].end, 2);
  EXPECT_EQ(groups[1].begin, 2);
  EXPECT_EQ(groups[2].end, 6);
  EXPECT_EQ(result.voxels, (std::vector<std::int64_t>{0, 4, 18, 19, 20, 35}));
  EXPECT_EQ(result.mask->values, mask->values);
}

TEST(GibbsProblem, DemeansCovariatesInEachGroup) {
  auto input = wavesInput({4, 3, 3}, 30, 2);
  auto tissue = std::make_shared<Series<float>>(input.bold->grid, 2);
  test::Rng rng(3);
  for (float& value : tissue->values) value = float(rng.uniform());
  input.tissue = tissue, input.tissueNames = {"grey", "white"};
  auto options = optionsWith(Response::raw);
  options.scope = Scope::slices;
  const auto result = prepareActivation(input, options, {});
  EXPECT_EQ(result.covariateNames, (std::vector<std::string>{"intercept", "grey", "white"}));
  for (const auto& group : result.problem->groups) {
    Eigen::MatrixXd z(12, 3);
    for (int i = 0; i < 12; ++i)
      for (int c = 0; c < 3; ++c) z(i, c) = result.problem->z[std::size_t(c * 36 + group.begin + i)];
    EXPECT_NEAR(z.col(1).sum(), 0, 1e-6);
    EXPECT_NEAR(z.col(2).sum(), 0, 1e-6);
    EXPECT_LT((Eigen::Map<const Eigen::MatrixXd>(group.zz.data(), 3, 3) - z.transpose() * z).norm(), 1e-5);
  }
  EXPECT_NEAR(result.problem->z[36] - result.problem->z[37], tissue->at(0, 0) - tissue->at(1, 0), 1e-6);
}

TEST(GibbsProblem, ExcludesVoxelsThatCannotBeUsedAndCountsThem) {
  auto input = wavesInput({5, 2, 1}, 30, 3);
  auto bold = std::make_shared<Series<float>>(*input.bold);
  bold->at(9, 20) = 1e20f;
  bold->at(0, 11) = std::numeric_limits<float>::quiet_NaN();
  bold->at(1, 3) = std::numeric_limits<float>::infinity();
  for (int t = 0; t < 30; ++t) {
    bold->at(4, t) = 812.5f;
    bold->at(5, t) = 1 / 3.0f;
    bold->at(6, t) -= 200;
    bold->at(8, t) = float(t % 2);  // fitted exactly by the last regressor
    input.design.matrix(t, 2) = t % 2;
  }
  input.bold = bold;
  const auto raw = prepareActivation(input, optionsWith(Response::raw), {});
  EXPECT_EQ(raw.voxels, (std::vector<std::int64_t>{2, 3, 6, 7}));
  EXPECT_THAT(joined(raw.notes),
              HasSubstr("6 voxels of the mask are excluded (3: their series is not finite or exceeds ±1e+15; "
                        "2: their series is constant; 1: the design explains"));
  const auto percent = prepareActivation(input, optionsWith(Response::percent), {});
  EXPECT_EQ(percent.voxels, (std::vector<std::int64_t>{2, 3, 7}));
  EXPECT_THAT(joined(percent.notes), HasSubstr("1: the mean of their series is not positive"));
}

TEST(GibbsProblem, TakesNoPercentageOfAMeanThatIsRounding) {
  auto input = wavesInput({5, 2, 1}, 30, 3);
  auto bold = std::make_shared<Series<float>>(*input.bold);
  double mean = 0;
  for (int t = 0; t < 30; ++t) mean += bold->at(4, t) / 30.0;
  for (int t = 0; t < 30; ++t) bold->at(4, t) -= float(mean);
  bold->at(4, 0) += 1e-6f;
  input.bold = bold;
  const auto percent = prepareActivation(input, optionsWith(Response::percent), {});
  EXPECT_EQ(percent.voxels.size(), 9U);
  EXPECT_THAT(joined(percent.notes), HasSubstr("1: the mean of their series is not positive"));
  EXPECT_EQ(prepareActivation(input, optionsWith(Response::raw), {}).voxels.size(), 10U);
}

TEST(GibbsProblem, SaysWhatTheAutomaticMaskCannotWorkOn) {
  auto input = wavesInput({5, 2, 1}, 30, 3);
  auto bold = std::make_shared<Series<float>>(*input.bold);
  bold->at(3, 7) = std::numeric_limits<float>::quiet_NaN();
  input.bold = bold, input.mask = nullptr;
  EXPECT_THAT(joined(prepareActivation(input, optionsWith(Response::raw), {}).notes),
              HasSubstr("unusable values: 1 not a number"));
}

TEST(GibbsProblem, ExcludesRawSeriesThatVanishInFloat) {
  auto input = wavesInput({5, 2, 1}, 30, 3);
  auto bold = std::make_shared<Series<float>>(*input.bold);
  for (int t = 0; t < 30; ++t) bold->at(3, t) *= 1e-30f;
  input.bold = bold;
  const auto raw = prepareActivation(input, optionsWith(Response::raw), {});
  EXPECT_EQ(raw.voxels.size(), 9U);
  EXPECT_THAT(joined(raw.notes), HasSubstr("1: their series varies by less than 1e-15"));
  EXPECT_EQ(prepareActivation(input, optionsWith(Response::percent), {}).voxels.size(), 10U);
}

TEST(GibbsProblem, WorksOnOneSliceWhereAsked) {
  const auto input = wavesInput({3, 2, 4}, 30, 2);
  auto options = optionsWith(Response::raw);
  options.slice = 3;
  EXPECT_EQ(prepareActivation(input, options, {}).voxels,
            (std::vector<std::int64_t>{12, 13, 14, 15, 16, 17}));
}

TEST(GibbsProblem, SaysWhatIsWrongWithTheInput) {
  const auto good = wavesInput({4, 4, 2}, 30, 3);
  const auto options = optionsWith(Response::raw);
  const auto refused = [&](auto change, const std::vector<std::string>& words) {
    auto input = good;
    change(input);
    expectError([&] { prepareActivation(input, options, {}); }, words);
  };
  Grid other = good.bold->grid;
  other.size.x = 5;
  refused([](ActivationInput& i) { i.bold = nullptr; }, {"no series"});
  refused([](ActivationInput& i) { i.bold = std::make_shared<const Series<float>>(i.bold->grid, 1, 1.0f); },
          {"1 volume", "4D"});
  refused([](ActivationInput& i) { i.design.matrix.conservativeResize(29, 3); }, {"29", "30"});
  refused([&](ActivationInput& i) { i.mask = std::make_shared<const Mask>(other, std::uint8_t(1)); },
          {"mask", "a different grid", "5 × 4 × 2"});
  refused([](ActivationInput& i) { i.mask = std::make_shared<const Mask>(i.bold->grid); }, {"mask is empty"});
  refused([&](ActivationInput& i) { i.tissue = std::make_shared<const Series<float>>(other, 1, 1.0f); },
          {"tissue maps", "a different grid"});
  refused(
      [](ActivationInput& i) {
        i.tissue = std::make_shared<const Series<float>>(i.bold->grid, 1, 0.3f);
        i.tissueNames = {"grey"};
      },
      {"'grey'", "one value"});
  refused(
      [](ActivationInput& i) {
        auto maps = std::make_shared<Series<float>>(i.bold->grid, 2);
        for (int v = 0; v < 32; ++v) maps->at(v, 0) = float(v % 7) / 7, maps->at(v, 1) = 1 - maps->at(v, 0);
        i.tissue = maps, i.tissueNames = {"grey", "white"};
      },
      {"'white'", "combination"});
  refused([](ActivationInput& i) { i.bold = std::make_shared<const Series<float>>(i.bold->grid, 30, 5.0f); },
          {"None of the 32 voxels", "constant"});
}

TEST(GibbsProblem, SaysWhatIsWrongWithTheOptions) {
  const auto input = wavesInput({4, 4, 2}, 30, 3);
  const auto refused = [&](auto change, const std::vector<std::string>& words) {
    auto options = optionsWith(Response::raw);
    change(options);
    expectError([&] { prepareActivation(input, options, {}); }, words, ErrorKind::usage);
  };
  refused([](ActivationOptions& o) { o.burnIn = 200; }, {"burn-in of 200", "200 draws"});
  refused([](ActivationOptions& o) { o.thinning = 100; }, {"Only 1 of 200 draws"});
  refused([](ActivationOptions& o) { o.slice = 3; }, {"no slice 3", "2 slices"});
  refused([](ActivationOptions& o) { o.nu = 1.5; }, {"ν = 1.5", "3 regressors"});
}

TEST(GibbsProblem, DropsATenthOfTheDrawsUnlessToldOtherwise) {
  const auto input = wavesInput({4, 4, 2}, 30, 3);
  auto options = optionsWith(Response::raw, 500);
  EXPECT_EQ(prepareActivation(input, options, {}).sampling.burnIn, 50);
  options.burnIn = 0;
  EXPECT_EQ(prepareActivation(input, options, {}).sampling.burnIn, 0);
}

TEST(GibbsProblem, TurnsMomentsBackIntoCoefficients) {
  auto result = prepareActivation(wavesInput({9, 4, 1}, 30, 3), optionsWith(Response::raw), {});
  GibbsMoments moments;
  moments.mean = result.problem->estimate;
  moments.covariance.assign(6 * 36, 0.0f);
  for (const std::size_t diagonal : {0, 2, 5})  // σ² I, the covariance of least squares, with σ² = 1 + voxel
    for (std::size_t i = 0; i < 36; ++i) moments.covariance[diagonal * 36 + i] = float(1 + i);
  setMoments(result, moments, {});
  const Eigen::MatrixXd& x = result.design.matrix;
  const Eigen::MatrixXd covariance = inverse(x.transpose() * x);
  for (std::size_t i = 0; i < 36; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(result.mean[j * 36 + i], result.leastSquares[j * 36 + i], 1e-5 * 100);
    for (Eigen::Index r = 0, entry = 0; r < 3; ++r)
      for (Eigen::Index c = 0; c <= r; ++c, ++entry)
        EXPECT_NEAR(result.covariance[std::size_t(entry) * 36 + i], double(1 + i) * covariance(r, c),
                    1e-5 * double(1 + i));
  }
}

}  // namespace
}  // namespace sulcus::activation
