#pragma once

#include "core/activation/activation.h"

namespace sulcus::activation {

// Noise that all voxels share (breathing, motion, the scanner): y_i = Xβ_i + u + ε_i with one series u in all
// voxels of a group. The chance correlation of u with the regressors is an error η ~ N(0, Σ) common to all
// β̂_i, which does not average out over voxels: ignoring it makes Δ, and with it every voxel, far too
// certain.
//
// Σ is the covariance of the regression of the voxels' mean series, whose residuals have their own memory,
// minus the contribution of independent noise to the mean. The data determine only β_i + η. How much of the
// common part is η follows from the differences between voxels: with V the spread of their effects (robust,
// so that it represents most voxels) and m their median, the effect of the typical voxel is N(0, V) and
//   η | m ~ N(Σ (V + Σ)⁻¹ m, Σ − Σ (V + Σ)⁻¹ Σ).
// If voxels differ by more than the error, V ≫ Σ, the effects keep their size and become less certain by Σ;
// if they hardly differ, their common mean may be noise.
//
// The sampler draws β_i + η and Δ + η, unaware of η, which is subtracted from its results.

/// Sets `common` in the groups of the problem, and adds a note on how much of the noise is shared.
///
/// @param options  their `noise` is the model of the mean series' noise
/// @param q        orthonormal columns that span the confounds and then, with them, the regressors, n × (r +
///                 k)
void findCommonNoise(const ActivationInput& input, const ActivationOptions& options, const Eigen::MatrixXd& q,
                     ActivationResult& result, GibbsProblem& problem, const Progress& progress);

/// Subtracts η from the moments of the voxels and the kept draws of Δ, and stores its draws for those of the
/// voxels.
GibbsResult withoutCommonError(const GibbsProblem& problem, const GibbsOptions& options, GibbsResult result);

}  // namespace sulcus::activation
