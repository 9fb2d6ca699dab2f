#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/vector_field.h"

namespace sulcus::registration {

/// The share of the voxels with a corner whose volume vanishes under a displacement, see smallestCornerJ().
/// If it is 0, no cell between voxels folds.
///
/// @param u        mm along the voxel axes
/// @param spacing  mm
template <class Real>
double foldedShare(const VectorField<Real>& u, const Vec3<double>& spacing, const Progress& progress);

/// Reduces the velocity around the voxels with a corner whose volume vanishes under the displacement `moved`.
/// The velocity becomes 0 next to them, grows smoothly with the distance, and is unchanged from kHoldRadius
/// voxels on. If several such voxels are near, the nearest one counts. The result does not depend on the
/// number of threads.
///
/// @param moved     mm along the voxel axes
/// @param spacing   mm
/// @param velocity  any unit
template <class Real>
void guardAgainstFolds(const VectorField<Real>& moved, const Vec3<double>& spacing,
                       VectorField<Real>& velocity, const Progress& progress);

}  // namespace sulcus::registration
