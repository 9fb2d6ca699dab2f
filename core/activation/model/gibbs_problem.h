#pragma once

#include "core/activation/activation.h"

namespace sulcus::activation {

/// The sampling options, with the burn-in resolved if it is -1.
GibbsOptions samplingOf(const ActivationOptions& options);

/// Decides and computes everything before the first draw, the same on every backend: voxels, groups,
/// response, least squares, priors. `samples`, `mean`, `covariance` and `groups` of the result are still
/// empty.
///
/// The response y of a voxel is regressed on the design once, in double: with X = QR, R = L', γ = Q'y and
/// RSS = ‖y − Qγ‖². Confounds come first in X and are not part of γ: they have a flat prior and are
/// integrated out, at the cost of one of the n scans each. Covariates of the second level are demeaned over
/// the voxels of each group. Therefore the intercept of Δ is the group's mean, and a slice gives the same
/// result alone as with others.
///
/// @throws Error for input or options that cannot be used; Cancelled
ActivationResult prepareActivation(const ActivationInput& input, const ActivationOptions& options,
                                   const Progress& progress);

/// `to` = matrix · `from`, both (rows, M) with voxels fastest.
void transformVoxels(const Eigen::MatrixXd& matrix, const std::vector<float>& from, std::int64_t voxels,
                     std::vector<float>& to, const Progress& progress);

/// Sets `mean` and `covariance` of β from the moments of γ.
void setMoments(ActivationResult& result, const GibbsMoments& moments, const Progress& progress);

/// Sets `groups` to the means over the draws in `samples`.
void setGroups(ActivationResult& result);

}  // namespace sulcus::activation
