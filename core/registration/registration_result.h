#pragma once

#include "core/registration/registration_plan.h"

namespace sulcus {

/// The displacement of a level as a layer shows it: x + displacement(x) is the template's point, mm, RAS+.
Series<float> composedDisplacement(const VectorField<float>& u, const Grid& grid,
                                   const Affine& templateFromReference, const Progress& progress);

/// The template of a level at x − u(x).
Volume<float> warpedLevel(const PlannedLevel& level, const VectorField<float>& u, const Progress& progress);

/// Maps and figures of the finished displacement u on the reference's grid, which is unfolded before;
/// iterations, stages and what is known about the way there are the caller's.
RegistrationResult resultOf(const RegistrationInput& input, const RegistrationPlan& plan,
                            VectorField<float> u, const Progress& progress);

}  // namespace sulcus
