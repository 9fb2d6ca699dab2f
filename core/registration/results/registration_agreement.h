#pragma once

#include "core/analysis/analysis.h"
#include "core/registration/registration.h"

#include <vector>

namespace sulcus::registration {

/// The largest difference between two displacements that agree, voxels.
inline constexpr double kDisplacementTolerance = 0.01;
/// The largest endpoint error that a result may have in 95 % of the voxels of a phantom's object, voxels.
inline constexpr double kEndpointTolerance = 1.1;

/// Compares two results on one grid. The rows are the lengths of the differences of the displacements and of
/// the inverses in voxels, the differences of log J, the relative differences of the energies at the end of
/// each level, and the share of voxels that fold in both results or in none. The difference layer is that of
/// the displacements, in voxels.
///
/// @throws Error      if the grids differ
/// @throws Cancelled  if the progress is cancelled
Comparison compareRegistrations(const RegistrationResult& a, const RegistrationResult& b,
                                const Progress& progress = {});

/// The endpoint error: the distance between the points given by the displacement and the true displacement,
/// in voxels.
///
/// @param truth   3 volumes, mm, RAS+, on the result's grid
/// @param object  the voxels that are compared; null for all
/// @throws Error  if the grids differ or no voxel is compared
std::vector<AgreementRow> compareRegistrationWithTruth(const RegistrationResult& result,
                                                       const Series<float>& truth, const Mask* object,
                                                       const Progress& progress = {});

}  // namespace sulcus::registration
