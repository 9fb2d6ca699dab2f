#pragma once

#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// Surfaces r = f(g) g of a homogeneous form f, without VTK.

namespace sulcus::ui::scene {

/// Triangles: points and normals with three floats each (mm RAS+), RGB for each point.
struct Surfaces {
  std::vector<float> points, normals;
  std::vector<std::uint8_t> colors;
  std::vector<std::int32_t> triangles;  ///< three point indices each
};

/// Adds the output of `append` for the voxels, block by block on all threads, in order.
void appendInBlocks(const std::vector<std::int64_t>& voxels, Surfaces& surfaces,
                    const std::function<void(std::span<const std::int64_t>, Surfaces&)>& append);

/// The points and triangles of an icosahedron whose edges were halved `level` times: 12, 42, 162, 642 points.
struct Sphere {
  std::vector<Vec3<float>> points;  ///< unit vectors; point i + n/2 is opposite point i
  std::vector<std::int32_t> triangles;
  /// For each point of the first half, the points of the finest sphere that are nearest to it.
  std::vector<std::vector<std::size_t>> cells;
};
const Sphere& icosphere(int level);
inline constexpr int kFinestLevel = 3;  ///< 642 points, twice what functions of order 12 need

/// The order of a form with this many entries, or 0 if there is none.
int orderOfEntries(int entries);

/// Adds the surface of the form of each voxel, centered there, with negative values clamped to 0. As usual in
/// viewers of fiber orientations, each is scaled by its own maximum: with `scale` 1 the largest lobe reaches
/// the side of its voxel. Voxels that are not finite or nowhere positive are left out. `level` is that of the
/// mesh; its points are placed where the form is largest around them, so that maxima have the right length
/// and direction at any level.
void appendLobes(const Series<float>& tensor, const std::vector<std::int64_t>& voxels, int level,
                 double scale, Surfaces& surfaces);

}  // namespace sulcus::ui::scene
