#include "core/group/weighted_fit.h"

#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>

namespace sulcus::group {

WeightedFit weightedFit(const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                        const Eigen::VectorXd& variances) {
  constexpr int kMostSteps = 100;
  constexpr double kExact = 1e-10;  // of the variances
  const double freedom = double(x.rows() - x.cols());
  WeightedFit fit;
  // The initial value: by how much the residuals with equal weights vary more than the variances explain.
  const Eigen::VectorXd plain = y - x * solveLeastSquares(x, y).solution;
  fit.between = std::max(0.0, plain.squaredNorm() / freedom - variances.mean());
  for (int step = 0; step < kMostSteps; ++step) {
    const Eigen::ArrayXd w = (variances.array() + fit.between).inverse();
    const Eigen::MatrixXd wx = w.matrix().asDiagonal() * x, w2x = w.matrix().asDiagonal() * wx;
    fit.covariance = inverse(x.transpose() * wx);
    fit.beta = fit.covariance * (wx.transpose() * y);
    // With P = W − W X (X'W X)⁻¹ X'W the score is ½ (|P y|² − tr P), its information ½ tr P².
    const Eigen::MatrixXd b = fit.covariance * (wx.transpose() * wx),
                          c = fit.covariance * (wx.transpose() * w2x);
    const double trace = w.sum() - b.trace(),
                 information = w.square().sum() - 2 * c.trace() + (b * b).trace(),
                 fitted = (w * (y - x * fit.beta).array()).square().sum();
    const double next = std::max(0.0, fit.between + (fitted - trace) / information);
    const double change = std::abs(next - fit.between);
    fit.between = next;
    if (change <= kExact * (next + variances.minCoeff())) break;
  }
  return fit;
}

double weightedStatistic(const WeightedFit& fit, const Eigen::MatrixXd& rows) {
  const Eigen::VectorXd effect = rows * fit.beta;
  const Eigen::MatrixXd covariance = rows * fit.covariance * rows.transpose();
  if (effect.size() == 1) return effect[0] / std::sqrt(covariance(0, 0));
  const double f = effect.dot(solvePositiveDefinite(covariance, effect)) / double(effect.size());
  return std::sqrt(std::max(0.0, f));
}

}  // namespace sulcus::group
