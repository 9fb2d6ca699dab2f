#pragma once

#include "core/math/affine.h"

#include <cstdint>
#include <string>

namespace sulcus {

/// What the coordinates of a scan refer to, numbered as in NIfTI: nothing, as they were assumed for a file
/// that states none, the scanner that took it, another scan, the atlas of Talairach, that of the MNI, or
/// another template.
enum class Space { assumed, scanner, aligned, talairach, mni, otherTemplate };

/// A lattice of voxels in scanner space. Voxel (i, j, k) has its center at worldFromVoxel.point({i, j, k}),
/// in mm, RAS+ (x to the patient's right, y to the front, z up). x runs fastest in memory.
struct Grid {
  Vec3<int> size{0, 0, 0};
  Affine worldFromVoxel;
  Space space = Space::scanner;  ///< carried from file to file; nothing is computed from it

  std::int64_t voxels() const { return std::int64_t(size.x) * size.y * size.z; }
  std::int64_t index(int x, int y, int z) const {
    return x + std::int64_t(size.x) * (y + std::int64_t(size.y) * z);
  }
  Vec3<int> voxel(std::int64_t index) const {
    return {int(index % size.x), int(index / size.x % size.y), int(index / (std::int64_t(size.x) * size.y))};
  }
  bool contains(int x, int y, int z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < size.x && y < size.y && z < size.z;
  }
  /// Edge lengths of a voxel in mm.
  Vec3<double> spacing() const;
  /// Middle of the grid, mm.
  Vec3<double> center() const;
};

/// Orthonormal axes of the image in scanner axes: column j is where voxel axis j leads, at length 1 (of
/// sheared axes the orthonormal ones nearest to them). Without translation.
Affine imageAxes(const Grid& grid);

/// The frame of FSL's b-vectors: the axes of the image, the first reversed where they are right-handed.
Affine worldFromFsl(const Grid& grid);

/// The largest distance of a corner of a grid of `size` voxels under one map from that under the other, mm;
/// NaN where a map has any.
double largestShift(const Vec3<int>& size, const Affine& a, const Affine& b);

/// Same size, and no corner of one further than a thousandth of a voxel from the other's.
bool sameGrid(const Grid& a, const Grid& b);

/// "128 × 128 × 60 voxels of 2 × 2 × 2.2 mm"
std::string describeGrid(const Grid& grid);

/// How a grid differs from the one that was wanted: "64 × 64 × 30 voxels of … instead of …", or how far away
/// as many voxels of the same size lie.
std::string otherGrid(const Grid& grid, const Grid& wanted);

/// Nearest anatomical direction of each voxel axis, e.g. "RAS", "LPS".
std::string orientationCode(const Grid& grid);

}  // namespace sulcus
