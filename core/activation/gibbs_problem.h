#pragma once

#include "core/activation/activation.h"

namespace sulcus {

/// How the chains run.
GibbsOptions samplingOf(const ActivationOptions& options);

/// Everything that is decided and computed before the first draw, the same on every backend: voxels, groups,
/// response, least squares, priors. Of the result `samples`, `mean` and `covariance` are still empty.
///
/// The response of a voxel, y, is regressed on the design once, in double: with X = QR, R = L',
/// γ = Q'y and RSS = ‖y − Qγ‖². Covariates of the second level are demeaned over the voxels of each group, so
/// that the intercept of Δ is the group's mean and a slice gives the same alone as among others.
///
/// @throws Error for input or options that cannot be worked on; Cancelled
ActivationResult prepareActivation(const ActivationInput& input, const ActivationOptions& options,
                                   const Progress& progress);

/// Fills `mean` and `covariance` from moments in γ.
void setMoments(ActivationResult& result, const GibbsMoments& moments, const Progress& progress);

/// Fills `groups` from the draws in `samples`.
void setGroups(ActivationResult& result);

}  // namespace sulcus
