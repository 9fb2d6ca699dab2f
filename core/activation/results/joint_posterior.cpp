#include "core/activation/activation.h"
#include "core/activation/results/joint_estimates.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"
#include "core/math/tails.h"

#include <algorithm>
#include <cmath>

namespace sulcus::activation {
namespace {

/// The relative variance of a row beyond what earlier ones determine, below which it counts as known.
constexpr double kLeastOwn = 1e-6;  // owing to single precision

}  // namespace

double jointProbabilityOf(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance) {
  const Eigen::Index r = mean.size();
  const Eigen::VectorXd sd = covariance.diagonal().cwiseMax(1e-60).cwiseSqrt();
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
      mean(a) = result.mean[std::size_t(a) * m + std::size_t(voxel)];
      for (Eigen::Index b = 0; b <= a; ++b, at += m)
        covariance(a, b) = covariance(b, a) = result.covariance[at];
    }
    probability[std::size_t(voxel)] =
        float(jointProbabilityOf(weights.transpose() * mean, weights.transpose() * covariance * weights));
  });
  return probability;
}

}  // namespace sulcus::activation
