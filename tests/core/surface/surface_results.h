#pragma once

#include "core/surface/mesh_measures.h"
#include "core/surface/surface_report.h"
#include "tests/core/surface/surface_inputs.h"

#include <algorithm>
#include <cmath>

namespace sulcus::test {

/// An octahedron about the origin.
inline Mesh octahedron(float radius) {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const float side : {-radius, radius}) mesh.points.emplace_back()[axis] = side;
  mesh.triangles = {{1, 3, 5}, {3, 0, 5}, {0, 2, 5}, {2, 1, 5}, {3, 1, 4}, {0, 3, 4}, {2, 0, 4}, {1, 2, 4}};
  return mesh;
}

/// Distances to the nearest point of a mesh: right where surfaces correspond point by point.
inline std::vector<double> distancesToPoints(const Mesh& mesh, const std::vector<Vec3<float>>& points,
                                             const Progress&) {
  std::vector<double> distances;
  for (const auto& p : points) {
    double nearest = INFINITY;
    for (const auto& q : mesh.points) nearest = std::min(nearest, double(norm(p - q)));
    distances.push_back(nearest);
  }
  return distances;
}

/// A denoised ball, with octahedra for its surfaces: 4 mm before, 3 mm after.
inline DenoisedSurface denoisedBall(const SurfaceOptions& options) {
  DenoisedSurface made;
  made.phi = std::make_shared<const Volume<float>>(noisyBall(12, 0.4));
  SurfaceInput input;
  input.phi = made.phi;
  made.result = denoiseSurface(input, options, {});
  made.input = std::make_shared<const Mesh>(octahedron(4));
  made.surface = std::make_shared<const Mesh>(octahedron(3));
  made.inputMeasures = measuresOf(*made.input), made.measures = measuresOf(*made.surface);
  made.moved = surfaceDistance(*made.input, *made.surface, distancesToPoints, {});
  return made;
}

inline SurfaceOptions quickOptions() {
  SurfaceOptions options;
  options.patch = 3, options.neighbours = 12, options.iterations = 2, options.delta = 2;
  return options;
}

}  // namespace sulcus::test
