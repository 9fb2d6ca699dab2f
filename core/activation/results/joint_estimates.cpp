#include "core/activation/results/joint_estimates.h"

#include "core/activation/activation.h"
#include "core/activation/model/least_squares.h"
#include "core/activation/model/noise.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"
#include "core/math/tails.h"

#include <algorithm>
#include <cmath>

namespace sulcus::activation {
namespace {

constexpr std::int64_t kJointBlock = 1024;
constexpr double kLargestF = 1e30;
/// The smallest share of a row's variance that the earlier rows leave open: single precision resolves no
/// less.
constexpr double kLeastOwn = 1e-6;
constexpr double kLeastVariance = 1e-60;

/// The denominator degrees of freedom of F, from those of its r directions, (r, M).
std::vector<float> jointFreedom(const std::vector<std::vector<float>>& ofDirections) {
  std::vector<float> freedom = ofDirections.front();
  for (std::size_t i = 0; i < freedom.size(); ++i) {
    double sum = 0, least = freedom[i];
    for (const auto& one : ofDirections) {
      least = std::min<double>(least, one[i]);
      sum += double(one[i]) / (double(one[i]) - 2);
    }
    if (ofDirections.size() > 1)
      freedom[i] = least > 2 ? float(2 * sum / (sum - double(ofDirections.size()))) : float(least);
  }
  return freedom;
}

/// (D'H⁻¹D)^(−1/2) of a voxel as a lower triangle.
Eigen::MatrixXd whiteningAt(const GibbsProblem& problem, const Eigen::MatrixXd& directions,
                            std::int64_t voxel) {
  const Eigen::Index r = directions.cols();
  if (!problem.correlated) return Eigen::MatrixXd::Identity(r, r);
  const Eigen::MatrixXd root = solveLower(choleskyFactor(precisionAt(problem, voxel)), directions);
  return solveLower(choleskyFactor(root.transpose() * root), Eigen::MatrixXd::Identity(r, r).eval());
}

/// Sets the estimate, whitening and F of a voxel.
void estimateVoxel(const GibbsProblem& problem, const Eigen::MatrixXd& directions, std::int64_t voxel,
                   JointEstimates& joint) {
  const Eigen::Index k = directions.rows(), r = directions.cols();
  const auto m = std::size_t(problem.voxels), i = std::size_t(voxel);
  Eigen::VectorXd gamma(k);
  for (Eigen::Index j = 0; j < k; ++j) gamma(j) = problem.estimate[j * m + i];
  const Eigen::VectorXd x = directions.transpose() * gamma;
  for (Eigen::Index j = 0; j < r; ++j) joint.estimate[j * m + i] = float(x(j));
  const double variance = problem.residual[i] / double(problem.scans - problem.regressors);
  if (!(variance > 0)) return;
  Eigen::MatrixXd a = whiteningAt(problem, directions, voxel) / std::sqrt(variance);
  const double square = (a * x).squaredNorm();
  joint.f[i] = float(std::min(square / double(r), kLargestF));
  if (square > 0)
    a *= std::sqrt(chiSquaredOfLogTail(logTailOfF(joint.f[i], double(r), joint.freedom[i]), double(r)) /
                   square);
  std::size_t at = i;
  for (Eigen::Index p = 0; p < r; ++p)
    for (Eigen::Index q = 0; q <= p; ++q, at += m) joint.whitening[at] = float(a(p, q));
}

/// Sets the means of the common errors of the groups, and the largest of their covariances.
void addCommonErrors(const GibbsProblem& problem, const Eigen::MatrixXd& directions, JointEstimates& joint) {
  const Eigen::Index r = directions.cols();
  joint.commonCovariance = Eigen::MatrixXd::Zero(r, r);
  for (const GibbsGroup& group : problem.groups) {
    if (!group.common.isKnown()) continue;
    joint.common.resize(std::size_t(r) * problem.voxels);
    const Eigen::VectorXd mean = directions.transpose() * group.common.mean;
    for (Eigen::Index j = 0; j < r; ++j)
      std::fill_n(joint.common.begin() + j * problem.voxels + group.begin, group.end - group.begin,
                  float(mean(j)));
    const Eigen::MatrixXd root = directions.transpose() * group.common.root;
    if (root.squaredNorm() > joint.commonCovariance.trace()) joint.commonCovariance = root * root.transpose();
  }
}

}  // namespace

Eigen::MatrixXd directionsOf(const ActivationResult& result, const JointContrast& contrast) {
  const auto k = Eigen::Index(result.regressors()), r = std::ssize(contrast.independent);
  Eigen::MatrixXd rows(k, r);
  for (Eigen::Index i = 0; i < r; ++i)
    rows.col(i) = Eigen::Map<const Eigen::VectorXd>(contrast.independent[i].data(), k);
  rows = solveLower(result.problem->factor, rows);
  rows.colwise().normalize();
  return thinQr(rows).q;
}

Eigen::MatrixXd JointEstimates::whiteningOf(std::size_t voxel) const {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(rank, rank);
  std::size_t at = voxel;
  for (int i = 0; i < rank; ++i)
    for (int j = 0; j <= i; ++j, at += f.size()) a(i, j) = whitening[at];
  return a;
}

Eigen::VectorXd JointEstimates::whitened(std::size_t voxel, const Eigen::VectorXd& shift) const {
  Eigen::VectorXd x = -shift;
  for (int j = 0; j < rank; ++j) {
    const std::size_t at = std::size_t(j) * f.size() + voxel;
    x(j) += estimate[at] - (common.empty() ? 0.0f : common[at]);
  }
  return whiteningOf(voxel) * x;
}

float JointEstimates::z(std::size_t voxel) const {
  return float(deviateOfLogTail(logTailOfF(f[voxel], rank, freedom[voxel])));
}

JointEstimates estimateJoint(const ActivationResult& result, const JointContrast& contrast,
                             const Progress& progress) {
  const GibbsProblem& problem = *result.problem;
  const Eigen::MatrixXd directions = directionsOf(result, contrast);
  const Eigen::Index r = directions.cols();
  const auto m = std::size_t(result.count());
  const double freedom = problem.scans - problem.regressors;

  JointEstimates joint;
  joint.rank = int(r);
  joint.estimate.resize(r * m);
  joint.whitening.resize(std::size_t(r * (r + 1) / 2) * m);
  joint.f.resize(m);
  joint.freedom.assign(m, float(freedom));
  if (result.noise) {
    std::vector<std::vector<float>> ofDirections;
    for (Eigen::Index j = 0; j < r; ++j)
      ofDirections.push_back(effectiveFreedom(*result.noise, directions.col(j), freedom));
    joint.freedom = jointFreedom(ofDirections);
  }
  parallelForBlocks(result.count(), kJointBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) estimateVoxel(problem, directions, i, joint);
  });
  addCommonErrors(problem, directions, joint);
  return joint;
}

double jointProbabilityOf(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance) {
  const Eigen::Index r = mean.size();
  const Eigen::VectorXd sd = covariance.diagonal().cwiseMax(kLeastVariance).cwiseSqrt();
  const Eigen::VectorXd z = mean.cwiseQuotient(sd);
  const Eigen::MatrixXd correlation =
      sd.cwiseInverse().asDiagonal() * covariance * sd.cwiseInverse().asDiagonal();
  // Row-wise Cholesky factorization with a floor: rounding must not make a direction more certain than it can
  // be.
  Eigen::MatrixXd l = Eigen::MatrixXd::Zero(r, r);
  double square = 0;
  Eigen::VectorXd y(r);
  for (Eigen::Index i = 0; i < r; ++i) {
    for (Eigen::Index j = 0; j < i; ++j)
      l(i, j) = (correlation(i, j) - l.row(i).head(j).dot(l.row(j).head(j))) / l(j, j);
    l(i, i) = std::sqrt(std::max(1 - l.row(i).head(i).squaredNorm(), kLeastOwn));
    y(i) = (z(i) - l.row(i).head(i).dot(y.head(i))) / l(i, i);
    square += y(i) * y(i);
  }
  return -std::expm1(logTailOfChiSquared(square, double(r)));
}

std::vector<float> jointProbability(const ActivationResult& result, const JointContrast& contrast,
                                    const Progress& progress) {
  const Eigen::MatrixXd weights = result.problem->factor * directionsOf(result, contrast);
  const auto m = std::size_t(result.count());
  const Eigen::Index k = weights.rows();
  std::vector<float> probability(m);
  parallelFor(std::int64_t(m), progress, [&](std::int64_t voxel) {
    Eigen::VectorXd mean(k);
    Eigen::MatrixXd covariance(k, k);
    auto at = std::size_t(voxel);
    for (Eigen::Index a = 0; a < k; ++a) {
      mean(a) = result.mean[a * m + voxel];
      for (Eigen::Index b = 0; b <= a; ++b, at += m)
        covariance(a, b) = covariance(b, a) = result.covariance[at];
    }
    probability[voxel] =
        float(jointProbabilityOf(weights.transpose() * mean, weights.transpose() * covariance * weights));
  });
  return probability;
}

}  // namespace sulcus::activation
