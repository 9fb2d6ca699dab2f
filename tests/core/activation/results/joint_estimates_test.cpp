#include "core/activation/results/joint_estimates.h"

#include "core/activation/results/contrast_estimates.h"
#include "core/activation/results/posterior.h"
#include "core/activation/results/shown_voxels.h"
#include "core/math/linear_algebra.h"
#include "core/math/tails.h"
#include "tests/core/activation/activation_inputs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

using test::normal, test::Rng, test::wavesInput;

constexpr const char* kRows = "F(wave1 - wave2; wave2 - wave3; wave1 - wave3)";

ActivationResult analyzed(const ActivationInput& input, Noise noise, int draws = 300) {
  ActivationOptions options;
  options.draws = draws, options.noise = noise;
  return analyzeActivation(input, options, {});
}

JointContrast jointOf(const ActivationResult& result, const std::string& text) {
  return jointContrasts(text, Regressors(result.design)).front();
}

double shareFrom(const std::vector<float>& values, double limit) {
  return double(std::count_if(values.begin(), values.end(), [=](float v) { return v >= limit; })) /
         double(values.size());
}

/// Residual sum of squares of a least-squares fit.
double rss(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  return (y - x * solveLeastSquares(x, y).solution).squaredNorm();
}

TEST(JointEstimates, HaveTheFOfTwoModels) {
  const auto input = wavesInput({5, 4, 3}, 40, 4);
  const auto result = analyzed(input, Noise::white);
  const auto joint = estimateJoint(result, jointOf(result, kRows));
  const Eigen::MatrixXd& x = input.design.matrix;
  Eigen::MatrixXd same(x.rows(), 2);
  same << x.col(0), x.col(1) + x.col(2) + x.col(3);
  ASSERT_EQ(joint.rank, 2);
  for (std::size_t i = 0; i < result.voxels.size(); ++i) {
    Eigen::VectorXd y(x.rows());
    for (Eigen::Index t = 0; t < y.size(); ++t) y(t) = input.bold->at(result.voxels[i], int(t));
    const double f = (rss(same, y) - rss(x, y)) / 2 / (rss(x, y) / 36);
    EXPECT_NEAR(joint.f[i], f, 2e-4 * f);
    EXPECT_EQ(joint.freedom[i], 36);
    EXPECT_NEAR(joint.whitened(i, Eigen::VectorXd::Zero(2)).squaredNorm(),
                chiSquaredOfLogTail(logTailOfF(f, 2, 36), 2), 1e-3 * f);
  }
}

TEST(JointEstimates, OfOneRowAreTAndBothItsTails) {
  const auto input = wavesInput({6, 5, 4}, 60, 4);
  for (const Noise noise : {Noise::white, Noise::ar1}) {
    const auto result = analyzed(input, noise);
    const std::vector<double> row{0, 1, -1, 0};
    const auto joint = estimateJoint(result, jointOf(result, "F(2 wave1 - 2 wave2; wave2 - wave1)"));
    const auto single = estimateContrast(result, row);
    const auto above = exceedance(result, row, 0),
               probability = jointProbability(result, jointOf(result, "F(wave1 - wave2)"));
    ASSERT_EQ(joint.rank, 1);
    for (std::size_t i = 0; i < result.voxels.size(); ++i) {
      EXPECT_NEAR(joint.f[i], single.t(i) * single.t(i), 1e-3 * joint.f[i]);
      EXPECT_NEAR(joint.freedom[i], single.freedom[i], 1e-3 * single.freedom[i]);
      EXPECT_NEAR(probability[i], std::abs(2 * above[i] - 1), 0.01);
    }
  }
}

TEST(JointEstimates, DoNotDependOnHowTheRowsAreGiven) {
  const auto result = analyzed(wavesInput({5, 4, 3}, 60, 4), Noise::ar1);
  const auto a = jointOf(result, kRows),
             b = jointOf(result, "F(1000 wave1 - 1000 wave3; 0 0.002 -0.001 -0.001)");
  const auto x = estimateJoint(result, a), y = estimateJoint(result, b);
  const auto p = jointProbability(result, a), q = jointProbability(result, b);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_NEAR(x.f[i], y.f[i], 1e-3 * x.f[i]);
    EXPECT_NEAR(x.freedom[i], y.freedom[i], 0.05 * x.freedom[i]);
    EXPECT_NEAR(p[i], q[i], 1e-3);
  }
}

/// Scans without effect, or with effects of two conditions in every tenth voxel: AR(1) noise, part of which
/// is one series in all voxels.
ActivationInput threeTypes(std::uint64_t seed, double share, double memory, bool active) {
  constexpr int kScans = 120;
  Rng rng(seed);
  Grid grid;
  grid.size = {12, 12, 10};
  ActivationInput input;
  input.design.names = {"intercept", "a", "b", "c"};
  input.design.matrix = Eigen::MatrixXd::Zero(kScans, 4);
  input.design.confounds.resize(kScans, 0);
  for (int t = 0; t < kScans; ++t) {
    input.design.matrix(t, 0) = 1;
    if (t % 5 > 0) input.design.matrix(t, 1 + t / 5 % 3) = 1;
  }
  const auto series = [&] {
    std::vector<double> noise{normal(rng)};
    for (int t = 1; t < kScans; ++t)
      noise.push_back(memory * noise.back() + std::sqrt(1 - memory * memory) * normal(rng));
    return noise;
  };
  const auto common = series();
  auto bold = std::make_shared<Series<float>>(grid, kScans);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const auto own = series();
    for (int t = 0; t < kScans; ++t) {
      const auto at = std::size_t(t);
      double value = std::sqrt(share) * common[at] + std::sqrt(1 - share) * own[at];
      if (active && i % 10 == 0)
        value += 1.2 * (input.design.matrix(t, 1) - input.design.matrix(t, i % 20 == 0 ? 2 : 3));
      bold->at(i, t) = float(1000 + 10 * value);
    }
  }
  input.bold = bold;
  input.mask = std::make_shared<const Mask>(grid, std::uint8_t(1));
  return input;
}

/// The voxels that `--fdr 0.05` shows: those with an effect, and the others.
std::pair<int, int> rightAndWrong(const ActivationResult& result, const JointContrast& contrast) {
  ActivationOptions options;
  options.fdr = 0.05;
  const auto shown = shownVoxels(result, contrast, options);
  std::pair<int, int> found{0, 0};
  for (std::size_t i = 0; i < shown.probability.size(); ++i)
    if (shown.probability[i] >= float(shown.threshold)) ++(i % 10 == 0 ? found.first : found.second);
  return found;
}

TEST(JointEstimates, ShowNothingWhereThereIsNothing) {
  for (const double memory : {0.0, 0.3})
    for (const double share : {0.0, 0.1, 0.3})
      for (std::uint64_t seed = 3; seed <= 4; ++seed) {
        const auto result = analyzed(threeTypes(seed, share, memory, false),
                                     memory > 0 ? Noise::automatic : Noise::white, 400);
        for (const char* text : {"F(a - b; b - c)", "F(a; b; c)"}) {
          const auto contrast = jointOf(result, text);
          const auto estimates = groupedJoint(result, contrast)->estimates;
          std::vector<float> z;
          for (std::size_t i = 0; i < estimates.f.size(); ++i) z.push_back(estimates.z(i));
          if (share == 0) {
            EXPECT_NEAR(shareFrom(z, 1.6449), 0.05, 0.015) << memory << " " << seed << " " << text;
            EXPECT_NEAR(shareFrom(z, 2.3263), 0.01, 0.007) << memory << " " << seed << " " << text;
            EXPECT_NEAR(shareFrom(z, 1e-6), 0.5, 0.06) << memory << " " << seed << " " << text;
          }
          EXPECT_LE(shareFrom(jointProbability(result, contrast), 0.95), 0.06)
              << memory << " " << share << " " << seed << " " << text;
          const auto [right, wrong] = rightAndWrong(result, contrast);
          EXPECT_LE(right + wrong, 1) << memory << " " << share << " " << seed << " " << text;
        }
      }
}

TEST(JointEstimates, ShowEffectsAndFewOthers) {
  for (const double share : {0.0, 0.3})
    for (const double memory : {0.0, 0.3}) {
      const auto result =
          analyzed(threeTypes(3, share, memory, true), memory > 0 ? Noise::automatic : Noise::white, 400);
      for (const char* text : {"F(a - b; b - c)", "F(a; b; c)"}) {
        const auto contrast = jointOf(result, text);
        const auto [right, wrong] = rightAndWrong(result, contrast);
        EXPECT_EQ(right, 144) << share << " " << memory << " " << text;
        EXPECT_LE(wrong, 13) << share << " " << memory << " " << text;
        const auto p = jointProbability(result, contrast);
        for (std::size_t i = 0; i < p.size(); i += 10) EXPECT_GT(p[i], 0.99);
      }
    }
}

/// Estimates of `rank` rows in 10 000 voxels, with errors `scale` times as large as stated: in a share of
/// them the effects have this length, in any direction.
JointEstimates simulated(Rng& rng, int rank, double share, double length, double scale,
                         std::vector<bool>& active) {
  constexpr int kVoxels = 10'000;
  JointEstimates joint;
  joint.rank = rank;
  joint.estimate.resize(std::size_t(rank) * kVoxels), joint.freedom.assign(kVoxels, 100);
  joint.whitening.assign(std::size_t(rank * (rank + 1) / 2) * kVoxels, 0);
  joint.commonCovariance = Eigen::MatrixXd::Zero(rank, rank);
  active.clear();
  for (std::size_t i = 0; i < kVoxels; ++i) {
    active.push_back(rng.uniform() < share);
    Eigen::VectorXd effect(rank);
    for (int j = 0; j < rank; ++j) effect(j) = normal(rng);
    effect *= active.back() ? length * (0.8 + 0.4 * rng.uniform()) / effect.norm() : 0;
    double square = 0;
    for (int j = 0; j < rank; ++j) {
      const double x = effect(j) + scale * normal(rng);
      square += x * x;
      joint.estimate[std::size_t(j) * kVoxels + i] = float(x);
      joint.whitening[std::size_t(j * (j + 3) / 2) * kVoxels + i] = 1;
    }
    joint.f.push_back(float(square / rank));
  }
  return joint;
}

TEST(JointGroups, PromiseTheShareOfFalseOnes) {
  Rng rng(7);
  std::vector<bool> active;
  for (const int rank : {1, 2, 8})
    for (const double share : {0.0, 0.03, 0.25})
      for (const double length : {4.0, 12.0})
        for (const double scale : {1.0, 1.3}) {
          const auto estimates = simulated(rng, rank, share, length * scale, scale, active);
          const auto groups = fitJointGroups(estimates);
          ASSERT_TRUE(groups);
          std::vector<float> p;
          for (const float f : jointFalseShare(estimates, *groups)) p.push_back(1 - f);
          const double threshold = fdrThreshold(p, 0.05);
          double right = 0, wrong = 0;
          for (std::size_t i = 0; i < p.size(); ++i)
            if (p[i] >= float(threshold)) (active[i] ? right : wrong) += 1;
          EXPECT_LE(wrong, 3 + 0.09 * (right + wrong))
              << rank << " " << share << " " << length << " " << scale;
        }
}

TEST(JointGroups, AreSureOfLargeEffectsAndOfNone) {
  Rng rng(3);
  std::vector<bool> active;
  const auto estimates = simulated(rng, 3, 0.1, 8, 1, active);
  const auto groups = fitJointGroups(estimates);
  ASSERT_TRUE(groups);
  EXPECT_NEAR(groups->nullShare, 0.9, 0.01);
  EXPECT_NEAR(groups->errorScale, 1, 0.02);
  // The longer the estimate, the less likely it is that there is no effect.
  const auto share = jointFalseShare(estimates, *groups);
  std::vector<std::size_t> order(share.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return estimates.f[a] < estimates.f[b]; });
  for (std::size_t i = 1; i < order.size(); ++i) EXPECT_LE(share[order[i]], share[order[i - 1]] + 1e-6f);
  EXPECT_LT(share[order.back()], 1e-9);
  EXPECT_GT(share[order.front()], 0.99);
  JointEstimates few = estimates;
  few.f.resize(100);
  EXPECT_FALSE(fitJointGroups(few));
}

TEST(JointProbability, IsTheTailOfTheEllipsoidThroughZero) {
  EXPECT_NEAR(jointProbabilityOf(Eigen::Vector2d(0, 0), Eigen::Matrix2d::Identity()), 0, 1e-12);
  EXPECT_NEAR(jointProbabilityOf(Eigen::Vector2d(3, 4), 4 * Eigen::Matrix2d::Identity()),
              1 - std::exp(-25.0 / 8), 1e-12);
  Eigen::Matrix2d covariance;
  covariance << 2, 1.2, 1.2, 1;
  const Eigen::Vector2d mean(0.5, -1);
  EXPECT_NEAR(jointProbabilityOf(mean, covariance), 1 - std::exp(-mean.dot(inverse(covariance) * mean) / 2),
              1e-9);
  // Rounding that makes a covariance indefinite, or zero variance, gives no NaN.
  covariance << 1, 1.0000001, 1.0000001, 1;
  EXPECT_NEAR(jointProbabilityOf(Eigen::Vector2d(1, 1), covariance), 1 - std::exp(-0.5), 1e-3);
  EXPECT_EQ(jointProbabilityOf(Eigen::Vector2d(1, 1), Eigen::Matrix2d::Zero()), 1);
}

}  // namespace
}  // namespace sulcus::activation
