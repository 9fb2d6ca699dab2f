#pragma once

#include "core/image/mesh.h"
#include "core/image/volume.h"

#include <cstdint>
#include <vector>

namespace sulcus {

/// What is reported of a surface.
struct MeshMeasures {
  double area = 0;                   ///< mm²
  double volume = 0;                 ///< mm³ enclosed; cavities do not count
  double meanCurvature = 0;          ///< 1/mm, mean over the area; 1/r of a sphere of radius r
  double meanAbsoluteCurvature = 0;  ///< 1/mm
  int components = 0;                ///< connected surfaces around something
  int cavities = 0;                  ///< connected surfaces around nothing: they turn inwards
  int handles = 0;                   ///< tunnels through all of them together
  std::int64_t euler = 0;            ///< points − edges + triangles: 2 (components + cavities − handles)
  std::int64_t openEdges = 0;        ///< edges that do not have two triangles; 0 of a closed surface
};

/// Points without a triangle do not count.
MeshMeasures measuresOf(const Mesh& mesh);

/// Mean curvature at each point, 1/mm, positive where the surface bulges outwards.
/// Cotangent formula: Meyer, Desbrun, Schröder & Barr, Visualization and Mathematics III (2003) 35.
std::vector<float> meanCurvatures(const Mesh& mesh);

/// φ at the points of a mesh, mm, between the voxels by trilinear interpolation: where φ is the signed
/// distance of another surface, how far outside of it they lie.
std::vector<float> sampledAt(const Volume<float>& phi, const std::vector<Vec3<float>>& points);

}  // namespace sulcus
