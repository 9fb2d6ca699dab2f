#pragma once

#include "core/activation/activation.h"

namespace sulcus::activation {

/// Stores the priors in the problem: ν_e, ν, A, the blocks of V_β, and V of each group in γ, V_γ = L'V_βL.
/// Notes what they are.
///
/// @param problem  with least squares and groups
/// @throws Error for degrees of freedom that are too few
void makePriors(const ActivationOptions& options, ActivationResult& result, GibbsProblem& problem);

}  // namespace sulcus::activation
