#pragma once

#include "core/activation/activation.h"
#include "core/analysis/analysis.h"

#include <memory>
#include <vector>

namespace sulcus {

/// Two posterior means agree within this many Monte Carlo errors of their difference.
inline constexpr double kMonteCarloErrors = 5;

/// Two results of the same input held against each other, in the voxels that both worked on.
///
/// Rows: posterior mean and s.d. of every coefficient, σ², Δ and V_β, each in Monte Carlo errors of the
/// difference (s.d. over the root of the effective number of draws; the error of a s.d. is 1/√2 of that), and
/// the share of voxels on the same side of the probability threshold. The difference is a volume of the
/// largest Monte Carlo error of a coefficient's mean, NaN where neither worked.
///
/// These errors are bounds: the means of a run are averages of conditional means, and vary less.
///
/// @param gamma, probability  of the threshold: P(β > gamma) ≥ probability, each regressor counted
/// @throws Error when grids or regressors differ; Cancelled
Comparison compareActivation(const ActivationResult& a, const ActivationResult& b, double gamma = 0,
                             double probability = 0.95, const Progress& progress = {});

/// What is known of a phantom, in the unit of the series; what is null or empty is not compared.
struct ActivationTruth {
  std::shared_ptr<const Series<float>>
      beta;  ///< one volume per regressor, in the design's order, NaN: unknown
  std::shared_ptr<const Series<float>> sigma2;
  Eigen::MatrixXd delta;  ///< q × k, compared where the response is the series as it is
  Eigen::MatrixXd vBeta;  ///< k × k, as delta
};

/// Truth from layers: a volume per regressor in one series (β); one volume (σ²); tables whose number of rows
/// is that of the covariates (Δ) or regressors (V_β), each with a column of names before the numbers.
/// The names of the layers must contain "beta", "sigma2", "delta", "vbeta".
ActivationTruth activationTruth(const std::vector<const Layer*>& layers);

/// A result against the truth, which is turned into the response of each voxel first. Rows: error of the
/// posterior mean in posterior s.d. and coverage of the 90 % intervals, by regressor; error of σ², Δ and V_β
/// in s.d. A model that holds covers 88–92 %.
///
/// @throws Error when the grids or numbers of regressors differ; Cancelled
std::vector<AgreementRow> compareActivationWithTruth(const ActivationResult& result,
                                                     const ActivationTruth& truth,
                                                     const Progress& progress = {});

}  // namespace sulcus
