#pragma once

#include "core/base/progress.h"
#include "core/image/mesh.h"
#include "core/image/volume.h"

namespace sulcus::levelset {

/// The signed distance in mm to a closed mesh at the voxels of a grid, negative inside. It is exact up to 6
/// voxels from the surface and limited to kFarthest voxels (signed_distance.h).
///
/// @throws Error  for a mesh without triangles, and for an open one, with the number of its open edges
Volume<float> signedDistanceOfMesh(const Mesh& mesh, const Grid& grid, const Progress& progress);

/// The grid of cubic voxels of `spacing` mm along RAS+ that contains a mesh and `margin` mm around it.
///
/// @throws Error  when it would have more than 1024 voxels along an axis
Grid gridAround(const Mesh& mesh, double spacing, double margin);

}  // namespace sulcus::levelset
