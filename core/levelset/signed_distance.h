#pragma once

#include "core/base/progress.h"
#include "core/image/mesh.h"
#include "core/image/volume.h"

#include <vector>

/// Distances to surfaces. Every φ is a signed distance in mm, negative inside. Everything beyond the grid is
/// outside.
namespace sulcus::levelset {

/// |φ| is limited to this many times the shortest edge of a voxel.
inline constexpr double kFarthest = 32;

/// The signed distance to the contour of a level set, in mm. It is exact up to 5 voxels from the surface, and
/// beyond that at most a few tenths of a voxel too large.
///
/// @param contour  the surface level = 0 in mm; if it has no triangles, all voxels are as far outside as
///                 possible
/// @param level    negative inside, any unit, on the grid of the result
Volume<float> signedDistanceOfContour(const Mesh& contour, const Volume<float>& level,
                                      const Progress& progress);

/// The distance in mm from each point to the nearest point of the triangles of a mesh.
///
/// @throws Error  for a mesh without triangles
std::vector<double> distancesTo(const Mesh& mesh, const std::vector<Vec3<float>>& points,
                                const Progress& progress);

}  // namespace sulcus::levelset
