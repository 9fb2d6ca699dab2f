#pragma once

#include "core/activation/sampler/gibbs.h"
#include "core/activation/sampler/hyper_fit.h"
#include "core/math/linear_algebra.h"

#include <cmath>
#include <cstdint>
#include <random>

namespace sulcus::test {

struct GibbsProblemShape {
  std::int64_t voxels = 100;
  int regressors = 5, covariates = 1, groups = 1, scans = 45;
  unsigned seed = 1;
  bool correlated = false;  ///< every voxel has its own precision matrix
  int blocks = 1;           ///< of V_β
  bool proposed = false;    ///< hyperparameters are proposed
};

/// A problem that follows its own model: a random design with an intercept, coefficients of each voxel around
/// their mean given its covariates, noise with its own variance, and the least-squares estimates.
inline activation::GibbsProblem makeGibbsProblem(const GibbsProblemShape& shape) {
  std::mt19937 random(shape.seed);
  std::normal_distribution<double> normal;
  const int k = shape.regressors, q = shape.covariates, n = shape.scans;
  const std::int64_t m = shape.voxels;
  const auto all = std::size_t(m);
  activation::GibbsProblem problem;
  problem.regressors = k, problem.covariates = q, problem.scans = n, problem.voxels = m;
  problem.nu = problem.nuE + k;
  if (shape.blocks > 1)
    for (int j = 0; j < k; ++j) problem.block.push_back(j % shape.blocks);

  Eigen::MatrixXd x(n, k);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j) x(i, j) = j == 0 ? 1 : std::sin(0.4 * (j + 1) * i) + 0.5 * normal(random);
  problem.factor = choleskyFactor(x.transpose() * x);

  Eigen::MatrixXd delta(q, k);
  for (auto& d : delta.reshaped()) d = 0.5 * normal(random);
  problem.estimate.resize(all * k), problem.z.resize(all * q);
  problem.residual.resize(all), problem.errorPrior.resize(all), problem.voxelId.resize(all);
  std::gamma_distribution<double> halfSquares((n - k) / 2.0, 2);
  problem.correlated = shape.correlated;
  if (shape.correlated) problem.precision.resize(all * k * (k + 1) / 2);
  Eigen::VectorXd beta(k), z(q);
  for (std::size_t i = 0; i < all; ++i) {
    for (int c = 0; c < q; ++c) z(c) = c == 0 ? 1 : 0.5 * normal(random);
    beta = delta.transpose() * z;
    for (auto& b : beta) b += 0.3 * normal(random);
    const double sigma = std::exp(0.3 * normal(random));
    const Eigen::VectorXd gamma = problem.factor.transpose() * beta;
    Eigen::VectorXd error(k);
    for (auto& e : error) e = normal(random);
    if (shape.correlated) {
      Eigen::MatrixXd root = Eigen::MatrixXd::Identity(k, k);
      for (auto& r : root.reshaped()) r += 0.2 * normal(random);
      const Eigen::MatrixXd precision = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(k, k);
      error = solveLowerTransposed(choleskyFactor(precision), error);
      for (int a = 0, at = 0; a < k; ++a)
        for (int b = 0; b <= a; ++b, ++at)
          problem.precision[std::size_t(at) * all + i] = float(precision(a, b));
    }
    for (int j = 0; j < k; ++j)
      problem.estimate[std::size_t(j) * all + i] = float(gamma(j) + sigma * error(j));
    for (int c = 0; c < q; ++c) problem.z[std::size_t(c) * all + i] = float(z(c));
    problem.residual[i] = float(sigma * sigma * halfSquares(random));
    problem.errorPrior[i] = problem.residual[i] / float(n - k);
    problem.voxelId[i] = std::uint32_t(7 * i + 3);
  }
  for (int g = 0; g < shape.groups; ++g) {
    activation::GibbsGroup group{m * g / shape.groups, m * (g + 1) / shape.groups, {}, {}};
    group.priorScale = problem.nu * 0.1 * problem.factor.transpose() * problem.factor;
    Eigen::MatrixXd zz = Eigen::MatrixXd::Zero(q, q);
    for (std::int64_t i = group.begin; i < group.end; ++i) {
      for (int c = 0; c < q; ++c) z(c) = problem.z[std::size_t(c) * all + std::size_t(i)];
      zz += z * z.transpose();
    }
    group.zz.assign(zz.data(), zz.data() + zz.size());
    problem.groups.push_back(std::move(group));
  }
  if (shape.proposed) problem.fits = activation::fitHyper(problem, 1, {});
  return problem;
}

}  // namespace sulcus::test
