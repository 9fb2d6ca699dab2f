#include "core/activation/results/joint_estimates.h"

#include "core/activation/activation.h"
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
  const Eigen::Index k = directions.rows(), r = directions.cols();
  if (!problem.correlated) return Eigen::MatrixXd::Identity(r, r);
  Eigen::MatrixXd precision(k, k);
  const float* from = problem.precision.data() + voxel;
  for (Eigen::Index a = 0; a < k; ++a)
    for (Eigen::Index b = 0; b <= a; ++b, from += problem.voxels) precision(a, b) = *from;
  const Eigen::MatrixXd root = solveLower(choleskyFactor(precision), directions);
  return solveLower(choleskyFactor(root.transpose() * root), Eigen::MatrixXd::Identity(r, r).eval());
}

}  // namespace

Eigen::MatrixXd directionsOf(const ActivationResult& result, const JointContrast& contrast) {
  const auto k = Eigen::Index(result.regressors()), r = std::ssize(contrast.independent);
  Eigen::MatrixXd rows(k, r);
  for (Eigen::Index i = 0; i < r; ++i)
    rows.col(i) = Eigen::Map<const Eigen::VectorXd>(contrast.independent[std::size_t(i)].data(), k);
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
  const Eigen::Index k = directions.rows(), r = directions.cols();
  const auto m = std::size_t(result.count());
  const double freedom = problem.scans - problem.regressors;

  JointEstimates joint;
  joint.rank = int(r);
  joint.estimate.resize(std::size_t(r) * m), joint.whitening.resize(std::size_t(r * (r + 1) / 2) * m);
  joint.f.resize(m), joint.freedom.assign(m, float(freedom));
  if (result.noise) {
    std::vector<std::vector<float>> ofDirections;
    for (Eigen::Index j = 0; j < r; ++j)
      ofDirections.push_back(effectiveFreedom(*result.noise, directions.col(j), freedom));
    joint.freedom = jointFreedom(ofDirections);
  }
  parallelForBlocks(result.count(), kJointBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    Eigen::VectorXd gamma(k);
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      for (Eigen::Index j = 0; j < k; ++j) gamma(j) = problem.estimate[std::size_t(j) * m + i];
      const Eigen::VectorXd x = directions.transpose() * gamma;
      for (Eigen::Index j = 0; j < r; ++j) joint.estimate[std::size_t(j) * m + i] = float(x(j));
      const double variance = problem.residual[i] / freedom;
      if (!(variance > 0)) continue;
      Eigen::MatrixXd a = whiteningAt(problem, directions, std::int64_t(i)) / std::sqrt(variance);
      const double square = (a * x).squaredNorm();
      joint.f[i] = float(std::min(square / double(r), kLargestF));
      if (square > 0)
        a *= std::sqrt(chiSquaredOfLogTail(logTailOfF(joint.f[i], double(r), joint.freedom[i]), double(r)) /
                       square);
      std::size_t at = i;
      for (Eigen::Index p = 0; p < r; ++p)
        for (Eigen::Index q = 0; q <= p; ++q, at += m) joint.whitening[at] = float(a(p, q));
    }
  });
  joint.commonCovariance = Eigen::MatrixXd::Zero(r, r);
  for (const GibbsGroup& group : problem.groups) {
    if (group.common.mean.size() == 0) continue;
    joint.common.resize(std::size_t(r) * m);
    const Eigen::VectorXd mean = directions.transpose() * group.common.mean;
    for (Eigen::Index j = 0; j < r; ++j)
      std::fill_n(joint.common.begin() + j * std::int64_t(m) + group.begin, group.end - group.begin,
                  float(mean(j)));
    const Eigen::MatrixXd root = directions.transpose() * group.common.root;
    if (root.squaredNorm() > joint.commonCovariance.trace()) joint.commonCovariance = root * root.transpose();
  }
  return joint;
}

}  // namespace sulcus::activation
