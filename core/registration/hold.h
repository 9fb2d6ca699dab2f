#pragma once

#include "core/base/progress.h"
#include "core/registration/vector_field.h"

namespace sulcus {

/// Makes the velocity smaller around the voxels whose volume vanishes in `moved`, see keepsVolume(): 0 beside
/// them, smoothly more further away, as it was from kHoldRadius voxels on. Where several are near, the
/// nearest counts. The same for any number of threads.
///
/// @param spacing  mm
template <class Real>
void holdBack(const VectorField<Real>& moved, const Vec3<double>& spacing, VectorField<Real>& velocity,
              const Progress& progress);

}  // namespace sulcus
