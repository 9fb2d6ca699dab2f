#pragma once

#include "core/analysis/analysis.h"
#include "core/registration/registration.h"

#include <vector>

namespace sulcus {

/// Displacements agree within this, voxels.
inline constexpr double kDisplacementTolerance = 0.01;
/// What a result may be off the truth of a phantom in 95 % of the object's voxels.
inline constexpr double kEndpointTolerance = 1.1;

/// Two results on one grid held against each other. Rows: length of the difference of the displacements and
/// of the inverses in voxels, of log J, of the energies at the end of each level (relative), and the share of
/// voxels that fold in both or in none. The difference is that of the displacements, in voxels.
///
/// @throws Error when the grids differ; Cancelled
Comparison compareRegistrations(const RegistrationResult& a, const RegistrationResult& b,
                                const Progress& progress = {});

/// How far the point that a displacement leads to is off the true one, voxels.
///
/// @param truth   3 volumes, mm, RAS+, on the result's grid
/// @param object  where it counts; null: everywhere
/// @throws Error when the grids differ or nothing counts
std::vector<AgreementRow> compareRegistrationWithTruth(const RegistrationResult& result,
                                                       const Series<float>& truth, const Mask* object,
                                                       const Progress& progress = {});

}  // namespace sulcus
