#pragma once

#include "core/base/progress.h"
#include "core/image/mesh.h"
#include "core/image/volume.h"

#include <vector>

/// Surfaces as level sets and back: all φ are signed distances in mm, negative inside. What lies past a grid
/// is outside. Distances are exact to 5 voxels from the surface, some tenths of a voxel too much at most
/// further away, and end at kFarthest (band.h) voxels.
namespace sulcus::io {

/// Distance to the surface half-way between the voxels of a mask that are not 0 and those that are (flying
/// edges at ½). A mask that is full or empty gives a φ without a change of sign.
Volume<float> signedDistanceOfMask(const Mask& mask, const Progress& progress);

/// Distance to the surface on which `image`, interpolated between its voxels, is `threshold`; inside it is
/// larger. What is not sound (value_check.h) counts as the darkest.
Volume<float> signedDistanceOfImage(const Volume<float>& image, float threshold, const Progress& progress);

/// φ as a distance again; its zero stays where it is, between the voxels too.
Volume<float> redistanced(const Volume<float>& phi, const Progress& progress);

/// Distance to a closed mesh at the voxels of a grid.
///
/// @throws Error  for a mesh that is open (how many edges) or has no triangles
Volume<float> signedDistanceOfMesh(const Mesh& mesh, const Grid& grid, const Progress& progress);

/// RAS+ grid of cubic voxels of `spacing` mm around a mesh, `margin` mm more on each side.
///
/// @throws Error  when it had more than 1024 voxels along an axis
Grid gridAround(const Mesh& mesh, double spacing, double margin);

/// The surface φ = 0 (flying edges) in RAS+ mm, counter-clockwise seen from outside, whatever the grid's
/// handedness. Always closed: where the inside reaches the edge of the grid it ends half a voxel beyond.
Mesh contourOf(const Volume<float>& phi, const Progress& progress);

/// Distance in mm from each point to the nearest point of a mesh's triangles.
std::vector<double> distancesTo(const Mesh& mesh, const std::vector<Vec3<float>>& points,
                                const Progress& progress);

}  // namespace sulcus::io
