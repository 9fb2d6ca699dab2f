#pragma once

#include "core/registration/deformation/inverse.h"
#include "core/registration/registration_plan.h"
#include "core/registration/results/maps_kernel.h"

#include <vector>

namespace sulcus::registration {

/// The displacement of a level in the form of a layer, 3 volumes in mm, RAS+: x + displacement(x) is the
/// template's point for x.
///
/// @param u  mm along the voxel axes of `grid`
Series<float> composedDisplacement(const VectorField<float>& u, const Grid& grid,
                                   const Affine& templateFromReference, const Progress& progress);

/// The inverse of composedDisplacement(): u on `grid`, mm along its voxel axes, 0 at its ends.
///
/// @param displacement  3 volumes, mm, RAS+, on any grid; interpolated trilinearly
VectorField<float> flowOf(const Series<float>& displacement, const Grid& grid,
                          const Affine& templateFromReference, const Progress& progress);

/// log J at each voxel of `grid`; `rows` receives the figures of each row.
Volume<float> logJacobianOf(const VectorField<float>& u, const Grid& grid, std::vector<RowFigures>& rows,
                            const Progress& progress);

/// The preview of a run whose level has reached the displacement u.
RegistrationPreview previewOf(const RegistrationInput& input, const RegistrationPlan& plan,
                              const PlannedLevel& level, const VectorField<float>& u,
                              const std::vector<RegistrationIteration>& iterations, const Progress& progress);

/// The maps and figures of the finished displacement u on the reference's grid; u is unfolded first. The
/// caller fills in the iterations, their retries, the stages and the notes of the plan.
using ResultOf = RegistrationResult(const RegistrationInput& input, const RegistrationPlan& plan,
                                    VectorField<float> u, const Progress& progress);

/// Makes the maps on the CPU.
ResultOf resultOf;

// Parts that are the same on the GPU.

/// A result filled with the information in the plan.
RegistrationResult plannedResult(const RegistrationPlan& plan);

/// Smooths u until it folds nowhere; stores in the result the smallest J, a note on how far that moved u, and
/// the remaining folds.
void unfoldAll(VectorField<float>& u, const Grid& grid, RegistrationResult& result, const Progress& progress);

/// Computes the figures of log J and u from those of each row.
void addFigures(const std::vector<RowFigures>& rows, RegistrationResult& result);

/// Moves the inverse into a result that has its displacement, and fills in the landmarks.
void finishResult(const RegistrationInput& input, InverseField inverse, RegistrationResult& result);

}  // namespace sulcus::registration
