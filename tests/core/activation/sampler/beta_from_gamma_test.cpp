#include "core/activation/sampler/beta_from_gamma.h"

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

TEST(BetaFromGamma, InvertsTheFactor) {
  GibbsProblem problem;
  problem.regressors = 2;
  problem.factor = Eigen::MatrixXd{{2, 0}, {1, 4}};
  const Eigen::Vector2d beta(3, -5), gamma = problem.factor.transpose() * beta;

  EXPECT_TRUE((betaFromGamma(problem) * gamma).isApprox(beta, 1e-14));
}

TEST(BetaFromGamma, TurnsADrawAsItTurnsCoefficients) {
  const Eigen::MatrixXd toBeta{{1, 2}, {0, 3}};
  const double delta[] = {1, 10, 2, 20, 3, 30};  // three covariates, by rows
  const double variance[] = {4, 1, 1, 2};
  double deltaInBeta[6] = {}, varianceInBeta[4] = {};

  drawInBeta(toBeta, 3, delta, variance, deltaInBeta, varianceInBeta);

  // Row c of Δ is γ = (c, 10 c), hence β = (21 c, 30 c); covariates come first.
  const double expected[] = {21, 42, 63, 30, 60, 90};
  for (int i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(deltaInBeta[i], expected[i]) << i;
  const double inBeta[] = {16, 15, 15, 18};
  for (int i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(varianceInBeta[i], inBeta[i]) << i;
}

}  // namespace
}  // namespace sulcus::activation
