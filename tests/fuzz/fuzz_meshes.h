#pragma once

#include "core/io/surfaces/mesh_files.h"
#include "core/levelset/mesh_distance.h"
#include "core/levelset/mesh_measures.h"
#include "tests/fuzz/fuzz_seeds.h"

namespace sulcus::fuzz {

/// Opens the bytes as a surface and, if possible, measures it and samples it on a grid.
inline int openAsMesh(const char* name, const std::uint8_t* data, std::size_t size) {
  return parseOrError([&] {
    const Layer layer = io::openMesh(memoryFile(name, data, size));
    const Mesh& mesh = *std::get<MeshLayer>(layer.content).mesh;
    levelset::measuresOf(mesh);
    Grid grid;
    grid.size = {6, 5, 4};
    levelset::signedDistanceOfMesh(mesh, grid, {});
  });
}

/// Reads the bytes as numbers or labels for the points of a surface.
inline void openAsPointValues(const char* name, const std::uint8_t* data, std::size_t size) {
  parseOrError([&] {
    Mesh mesh;
    mesh.points.resize(4);
    io::addPointValues(mesh, memoryFile(name, data, size));
  });
}

/// A small closed surface with a scalar.
inline Mesh seedMesh() {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {3.5f, 0, 0}, {0, 3.5f, 0}, {0, 0, 3.5f}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  mesh.pointScalars["depth"] = {0.5f, -1, 2, 7};
  return mesh;
}

}  // namespace sulcus::fuzz
