#pragma once

#include "core/surface/band.h"

#include <cstdint>
#include <string>

namespace sulcus::bench {

/// What a band is made of. mask: the distance to a noisy mask of a folded sheet, with thousands of patches
/// that are alike. gray: the true distance with smooth noise, without ties. flat: the distance to a cube
/// along the axes, on each of whose faces all patches are alike.
enum class SurfaceData { mask, gray, flat };
std::string nameOf(SurfaceData data);

/// The distance in mm to the surface of a mask between its voxels, negative inside; voxels are cubes.
Volume<float> distanceOfMask(const Mask& mask);

/// φ of a folded sheet, or of a cube, on steps, size³ voxels of 1 mm.
Volume<float> surfaceOf(SurfaceData data, int size);

/// `elements` elements of a surface that has as many or a few more within 3 voxels; `phi`: what they are of.
surface::Band bandOfSize(SurfaceData data, std::int64_t elements, int side, Volume<float>& phi);

}  // namespace sulcus::bench
