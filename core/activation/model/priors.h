#pragma once

#include "core/activation/activation.h"

namespace sulcus::activation {

/// Stores the priors in the problem: ν_e, ν, A, the blocks of V_β, and V of each group in γ, V_γ = L'V_βL.
/// Describes them in notes.
///
/// @param problem  with least squares and groups
/// @throws Error for too few degrees of freedom
void makePriors(const ActivationOptions& options, ActivationResult& result, GibbsProblem& problem);

}  // namespace sulcus::activation
