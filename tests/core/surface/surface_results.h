#pragma once

#include "core/levelset/mesh_measures.h"
#include "core/surface/surface_report.h"
#include "tests/core/surface/surface_inputs.h"

#include <memory>

namespace sulcus::test {

/// An octahedron about the origin.
inline Mesh octahedron(float radius) {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const float side : {-radius, radius}) mesh.points.emplace_back()[axis] = side;
  mesh.triangles = {{1, 3, 5}, {3, 0, 5}, {0, 2, 5}, {2, 1, 5}, {3, 1, 4}, {0, 3, 4}, {2, 0, 4}, {1, 2, 4}};
  return mesh;
}

/// A denoised ball whose surfaces are octahedra, of 4 mm before and 3 mm after. The corners of the larger one
/// are 1 mm from the smaller one, and those of the smaller one 1/√3 mm from the faces of the larger one.
inline surface::DenoisedSurface denoisedBall(const surface::SurfaceOptions& options) {
  surface::DenoisedSurface made;
  made.phi = std::make_shared<const Volume<float>>(noisyBall(12, 0.4));
  surface::SurfaceInput input;
  input.phi = made.phi;
  made.result = surface::denoiseSurface(input, options, {});
  made.input = std::make_shared<const Mesh>(octahedron(4));
  made.surface = std::make_shared<const Mesh>(octahedron(3));
  made.inputMeasures = levelset::measuresOf(*made.input), made.measures = levelset::measuresOf(*made.surface);
  made.moved = surface::surfaceDistance(*made.input, *made.surface, {});
  return made;
}

inline surface::SurfaceOptions quickOptions() {
  surface::SurfaceOptions options;
  options.patch = 3, options.neighbors = 12, options.iterations = 2, options.delta = 2;
  return options;
}

}  // namespace sulcus::test
