#pragma once

#include "core/activation/activation.h"

namespace sulcus::activation {

// Noise that all voxels share (breathing, motion, the scanner): y_i = Xβ_i + u + ε_i with one series u in all
// voxels of a group. What u happens to have of the regressors is an error η ~ N(0, Σ) of all β̂_i alike, which
// no number of voxels averages out: without it Δ is known far too well, and with Δ every voxel.
//
// Σ is the covariance that the regression of the mean series of the voxels has, its residuals with a memory
// of their own, less what independent noise leaves of the mean. The data tell only β_i + η. How much of what
// most voxels share is η follows from what they differ by: with V the spread of their effects (a robust one,
// so that it is that of most voxels) and m their median, the effect of the typical voxel is N(0, V) and
//   η | m ~ N(Σ (V + Σ)⁻¹ m, Σ − Σ (V + Σ)⁻¹ Σ).
// Where voxels differ by more than the error, V ≫ Σ, the effects keep their size and are less sure by Σ;
// where they hardly differ, a mean of all of them is no more than what the noise may be.
//
// The sampler draws β_i + η and Δ + η and knows nothing of it: η is taken off what it returns.

/// Sets `common` of the groups of the problem, and notes how much of the noise is shared.
///
/// @param q  orthonormal columns that span the confounds and then, with them, the regressors, n × (r + k)
/// @param noise  of the mean series
void findCommonNoise(const ActivationInput& input, const ActivationOptions& options, const Eigen::MatrixXd& q,
                     Noise noise, ActivationResult& result, GibbsProblem& problem, const Progress& progress);

/// Takes η off the moments of the voxels and the kept draws of Δ, and keeps its draws for those of the
/// voxels.
GibbsResult withoutCommonError(const GibbsProblem& problem, const GibbsOptions& options, GibbsResult result);

}  // namespace sulcus::activation
