#pragma once

#include "core/base/progress.h"
#include "core/image/mesh.h"
#include "core/image/volume.h"

namespace sulcus::toolkits {

/// The surface φ = 0 by flying edges, in mm, RAS+. Its triangles are counter-clockwise seen from outside for
/// grids of either handedness. It is always closed: where the inside reaches the border of the grid, the
/// surface lies half a voxel beyond it.
///
/// @param phi  negative inside, any unit
Mesh contourOf(const Volume<float>& phi, const Progress& progress);

}  // namespace sulcus::toolkits
