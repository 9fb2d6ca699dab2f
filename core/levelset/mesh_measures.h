#pragma once

#include "core/image/mesh.h"
#include "core/image/volume.h"

#include <cstdint>
#include <vector>

namespace sulcus::levelset {

/// The measures of a surface.
struct MeshMeasures {
  double area = 0;                   ///< surface area, mm²
  double volume = 0;                 ///< enclosed volume without the cavities, mm³
  double meanCurvature = 0;          ///< mean over the area, 1/mm; 1/r for a sphere of radius r
  double meanAbsoluteCurvature = 0;  ///< 1/mm
  int components = 0;                ///< connected outer surfaces of bodies
  int cavities = 0;                  ///< connected surfaces that face inwards
  int handles = 0;                   ///< handles of all surfaces together
  std::int64_t euler = 0;            ///< points − edges + triangles = 2 (components + cavities − handles)
  std::int64_t openEdges = 0;        ///< edges with an odd number of triangles; 0 for a closed surface
};

/// The smallest box around the triangles of a mesh, which must have one.
struct MeshBounds {
  Vec3<float> low, high;  ///< mm
};
MeshBounds boundsOf(const Mesh& mesh);

/// The measures of a mesh in mm. Points without a triangle do not count.
MeshMeasures measuresOf(const Mesh& mesh);

/// φ at points in mm, RAS+, by trilinear interpolation, extrapolated linearly beyond the grid. When φ is the
/// signed distance of a surface, these are the distances of the points from it.
std::vector<float> sampledAt(const Volume<float>& phi, const std::vector<Vec3<float>>& points);

}  // namespace sulcus::levelset
