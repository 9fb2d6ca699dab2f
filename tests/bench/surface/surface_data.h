#pragma once

#include "core/surface/band.h"

#include <cstdint>
#include <string>

namespace sulcus::bench {

/// The data of a band. mask: the distance to a noisy mask of a folded sheet, with thousands of identical
/// patches. gray: the true distance with smooth noise, without ties. flat: the distance to a cube along the
/// axes; on each face all patches are identical.
enum class SurfaceData { mask, gray, flat };
std::string nameOf(SurfaceData data);

/// The distance in mm to the surface of a mask, which lies between its voxels, negative inside; voxels are
/// cubes.
Volume<float> distanceOfMask(const Mask& mask);

/// φ of a folded sheet, or of a cube, with steps, size³ voxels of 1 mm.
Volume<float> surfaceOf(SurfaceData data, int size);

/// `elements` elements of a surface with that many or a few more within 3 voxels; `phi` receives its level
/// set.
surface::Band bandOfSize(SurfaceData data, std::int64_t elements, int side, Volume<float>& phi);

}  // namespace sulcus::bench
