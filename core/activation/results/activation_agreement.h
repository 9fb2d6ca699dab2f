#pragma once

#include "core/activation/activation.h"
#include "core/analysis/analysis.h"

#include <memory>
#include <vector>

namespace sulcus::activation {

/// Two posterior means agree within this many Monte Carlo errors of their difference.
inline constexpr double kMonteCarloErrors = 5;

/// Compares two results of the same input in the voxels that both have.
///
/// Rows: posterior mean and s.d. of every coefficient, σ², Δ and V_β, each in Monte Carlo errors of the
/// difference (s.d. over the root of the effective number of draws; the error of a s.d. is 1/√2 of that), and
/// the share of voxels on the same side of the probability threshold; and the difference between the
/// least-squares z in `a` and its posterior mean over s.d., which does not affect agreement. The difference
/// is a volume on the grid of `a`: the largest difference of a coefficient's mean in Monte Carlo errors, NaN
/// in voxels that are not in both.
///
/// These errors are upper bounds: the means of a run are averages of conditional means, which vary less than
/// draws.
///
/// @param gamma, probability  the threshold P(β > gamma) ≥ probability; every regressor is counted
/// @throws Error if grids or regressors differ; Cancelled
Comparison compareActivation(const ActivationResult& a, const ActivationResult& b, double gamma = 0,
                             double probability = 0.95, const Progress& progress = {});

/// The true parameters of a phantom, in the unit of the series. Null and empty ones are not compared.
struct ActivationTruth {
  std::shared_ptr<const Series<float>>
      beta;  ///< one volume per regressor, in the design's order; NaN: unknown
  std::shared_ptr<const Series<float>> sigma2;  ///< one volume; NaN: unknown
  Eigen::MatrixXd delta;                        ///< q × k; only compared with Response::raw
  Eigen::MatrixXd vBeta;                        ///< k × k; likewise
};

/// The truth in layers whose names contain "beta" (a series with a volume per regressor), "sigma2" (one
/// volume), "delta" (a table with a row per covariate) and "vbeta" (a table with a row per regressor). The
/// first column of the tables holds names.
ActivationTruth activationTruth(const std::vector<const Layer*>& layers);

/// Compares a result with the truth, after converting the truth of each voxel to the unit of the response.
/// Rows: for each regressor the error of the posterior mean in posterior s.d. and the coverage of the 90 %
/// credible intervals, then the errors of σ², Δ and V_β in s.d. If the model holds, coverage is 88–92 %.
///
/// @throws Error if the grids or numbers of regressors differ; Cancelled
std::vector<AgreementRow> compareActivationWithTruth(const ActivationResult& result,
                                                     const ActivationTruth& truth,
                                                     const Progress& progress = {});

}  // namespace sulcus::activation
