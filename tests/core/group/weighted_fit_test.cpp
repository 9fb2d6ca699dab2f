#include "core/group/weighted_fit.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

Eigen::MatrixXd ones(Eigen::Index people) { return Eigen::MatrixXd::Ones(people, 1); }

const Eigen::MatrixXd kFirst = Eigen::MatrixXd::Identity(1, 1);

TEST(WeightedFit, EqualVariancesGiveTheTOfEqualWeights) {
  Eigen::VectorXd y(6);
  y << 1, 3, 2, 5, 4, 0;
  const auto fit = weightedFit(ones(6), y, Eigen::VectorXd::Constant(6, 0.5));
  EXPECT_NEAR(fit.beta[0], 2.5, 1e-12);
  EXPECT_NEAR(fit.between, 3.5 - 0.5, 1e-8) << "the variance of y is 3.5";
  EXPECT_NEAR(weightedStatistic(fit, kFirst), 2.5 / std::sqrt(3.5 / 6), 1e-8);
}

TEST(WeightedFit, WherePeopleVaryLessThanTheirMapsNothingIsBetweenThem) {
  Eigen::VectorXd y(4), variances(4);
  y << 1, 1.1, 0.9, 1;
  variances << 4, 1, 1, 2;
  const auto fit = weightedFit(ones(4), y, variances);
  EXPECT_EQ(fit.between, 0);
  EXPECT_NEAR(fit.covariance(0, 0), 1 / (0.25 + 1 + 1 + 0.5), 1e-12);
  EXPECT_NEAR(fit.beta[0], (1 * 0.25 + 1.1 + 0.9 + 0.5) / 2.75, 1e-12);
}

// The maximum of the restricted likelihood by scipy.optimize.minimize_scalar.
TEST(WeightedFit, IsThatOfTheLargestRestrictedLikelihood) {
  Eigen::MatrixXd x(8, 2);
  Eigen::VectorXd y(8), variances(8);
  y << 2.1, 0.4, 3.3, 1.0, -0.7, 2.8, 0.2, 4.1;
  variances << 0.2, 1.5, 0.4, 0.9, 2.2, 0.3, 0.7, 3.0;
  for (int n = 0; n < 8; ++n) x(n, 0) = 1, x(n, 1) = n - 3.5;
  const auto fit = weightedFit(x, y, variances);
  EXPECT_NEAR(fit.between, 1.610050, 1e-5);
  EXPECT_NEAR(fit.beta[0], 1.742925, 1e-5);
  EXPECT_NEAR(fit.beta[1], 0.000262, 1e-5);
  EXPECT_NEAR(weightedStatistic(fit, Eigen::MatrixXd::Identity(2, 2).topRows(1)), 3.095444, 1e-5);
  EXPECT_NEAR(weightedStatistic(fit, Eigen::MatrixXd::Identity(2, 2)), 2.206521, 1e-5);
}

TEST(WeightedFit, FindsTheVarianceBetweenPeopleAndErrsAsItSays) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  constexpr int kTrials = 2000, kPeople = 20;
  double between = 0, beyond = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Eigen::VectorXd y(kPeople), variances(kPeople);
    for (int n = 0; n < kPeople; ++n) {
      variances[n] = n % 4 == 0 ? 6 : 0.5;
      y[n] = std::sqrt(variances[n] + 1) * normal(random);
    }
    const auto fit = weightedFit(ones(kPeople), y, variances);
    between += fit.between / kTrials;
    beyond += std::abs(weightedStatistic(fit, kFirst)) > 2.093;  // 5 % for t with 19 degrees of freedom
  }
  EXPECT_NEAR(between, 1, 0.08);
  EXPECT_NEAR(beyond / kTrials, 0.05, 0.015);
}

}  // namespace
}  // namespace sulcus::group
