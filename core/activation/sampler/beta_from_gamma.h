#pragma once

#include "core/activation/sampler/gibbs.h"

// The samplers draw γ = L'β, see gibbs.h; results are expressed in β.

namespace sulcus::activation {

/// L⁻ᵀ, k × k: β = L⁻ᵀ γ.
Eigen::MatrixXd betaFromGamma(const GibbsProblem& problem);

/// Converts a draw of Δ and V_γ in γ to Δ and V_β in β, as stored in GibbsResult.
///
/// @param toBeta       betaFromGamma(), k × k
/// @param delta        q × k by rows, in γ
/// @param variance     k × k by rows, in γ
/// @param deltaOut     q × k, covariate fastest, in β
/// @param varianceOut  k × k, in β
void drawInBeta(const Eigen::MatrixXd& toBeta, int q, const double* delta, const double* variance,
                double* deltaOut, double* varianceOut);

}  // namespace sulcus::activation
