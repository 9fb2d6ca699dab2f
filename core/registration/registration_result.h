#pragma once

#include "core/registration/registration_plan.h"

namespace sulcus::registration {

/// The displacement of a level as a layer shows it, 3 volumes in mm, RAS+: x + displacement(x) is the
/// template's point for x.
///
/// @param u  mm along the voxel axes of `grid`
Series<float> composedDisplacement(const VectorField<float>& u, const Grid& grid,
                                   const Affine& templateFromReference, const Progress& progress);

/// The pre-aligned template of a level at x − u(x).
Volume<float> warpedLevel(const PlannedLevel& level, const VectorField<float>& u, const Progress& progress);

/// The maps and figures of the finished displacement u on the reference's grid, which is unfolded first. The
/// caller fills in the iterations, their retries, the stages and the notes of the plan.
RegistrationResult resultOf(const RegistrationInput& input, const RegistrationPlan& plan,
                            VectorField<float> u, const Progress& progress);

}  // namespace sulcus::registration
