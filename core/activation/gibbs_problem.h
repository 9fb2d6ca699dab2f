#pragma once

#include "core/activation/activation.h"

#include <optional>

namespace sulcus {

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

/// What turns a voxel's series into its response: (value − offset) · scale.
struct ResponseScale {
  double offset = 0, scale = 1;
};
/// @return nothing where it cannot be had: series not finite, constant, or percent of a mean that is not
/// positive
std::optional<ResponseScale> responseScaleAt(const Series<float>& bold, Response response,
                                             std::int64_t voxel);

/// Fills `mean` and `covariance` from moments in γ.
void setMoments(ActivationResult& result, const GibbsMoments& moments, const Progress& progress);

/// Fills `groups` from the draws in `samples`.
void setGroups(ActivationResult& result);

}  // namespace sulcus
