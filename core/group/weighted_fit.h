#pragma once

#include <Eigen/Core>

namespace sulcus::group {

/// A linear model of values y that each have a known variance: y ~ N(Xβ, diag(s²) + τ² I).
struct WeightedFit {
  Eigen::VectorXd beta;        ///< k
  Eigen::MatrixXd covariance;  ///< of β, k × k
  double between = 0;          ///< τ², the variance between people beyond their own variances
};

/// τ² by restricted maximum likelihood, at least 0, as in the first step of FSL's FLAME (Beckmann et al.,
/// NeuroImage 20 (2003) 1052; Woolrich et al., NeuroImage 21 (2004) 1732); β with the weights 1 / (s² + τ²).
///
/// @param x          people × k, of full rank
/// @param variances  s², above 0
WeightedFit weightedFit(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& variances);

/// t of one row c of `rows` (c'β over its standard error), or √F of several rows together.
double weightedStatistic(const WeightedFit& fit, const Eigen::MatrixXd& rows);

}  // namespace sulcus::group
