#pragma once

#include "core/surface/surface_source.h"

namespace sulcus::surface {

/// How many voxels the band and its grid will have, about.
struct BandEstimate {
  double voxels = 0, gridVoxels = 0;
};
/// The band's voxels follow from the area of the faces between inside and outside, which is half as large
/// again as that of a surface in all directions. 0 where there is no surface. Takes some milliseconds. Throws
/// Error for a layer that cannot be what its kind says.
BandEstimate bandEstimate(const SurfaceSource& source, const SurfaceOptions& options);

}  // namespace sulcus::surface
