#pragma once

#include "core/surface/surface_source.h"

namespace sulcus::surface {

/// The approximate numbers of voxels of the band and of its grid.
struct BandEstimate {
  double voxels = 0, gridVoxels = 0;
};
/// The band's voxels are estimated from the area of the faces between inside and outside, which is half as
/// large again as that of a surface, averaged over all directions. 0 if there is no surface. Takes some
/// milliseconds. Throws Error for a layer that is invalid for its kind.
BandEstimate bandEstimate(const SurfaceSource& source, const SurfaceOptions& options);

}  // namespace sulcus::surface
