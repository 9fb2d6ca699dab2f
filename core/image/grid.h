#pragma once

#include "core/math/affine.h"

#include <cstdint>
#include <string>

namespace sulcus {

/// What the coordinates of a scan refer to, numbered as in NIfTI: nothing (assumed, for a file that states
/// none), the scanner, another scan, the Talairach atlas, the MNI template, or another template.
enum class Space { assumed, scanner, aligned, talairach, mni, otherTemplate };

/// A grid of voxels in scanner space. Voxel (i, j, k) has its center at worldFromVoxel.point({i, j, k}), in
/// mm, RAS+ (x to the patient's right, y to the front, z up). x runs fastest in memory.
struct Grid {
  Vec3<int> size{0, 0, 0};
  Affine worldFromVoxel;
  Space space = Space::scanner;  ///< passed on from file to file; not used in computations

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
  /// The center of a voxel, mm, RAS+.
  Vec3<double> positionOf(const Vec3<int>& voxel) const {
    return worldFromVoxel.point({double(voxel.x), double(voxel.y), double(voxel.z)});
  }
  Vec3<double> positionOf(std::int64_t index) const { return positionOf(voxel(index)); }
  /// Edge lengths of a voxel in mm.
  Vec3<double> spacing() const;
  /// Middle of the grid, mm.
  Vec3<double> center() const;
};

/// Orthonormal axes of the image in scanner axes, without translation: column j is the unit vector along
/// voxel axis j (for sheared axes, the nearest orthonormal ones).
Affine imageAxes(const Grid& grid);

/// The frame of FSL's b-vectors: the axes of the image, the first reversed if they are right-handed.
Affine worldFromFsl(const Grid& grid);

/// The largest distance between the images of a corner of a grid of `size` voxels under the two maps, mm; NaN
/// if a map contains NaN.
double largestShift(const Vec3<int>& size, const Affine& a, const Affine& b);

/// Same size, and corresponding corners at most a thousandth of a voxel apart.
bool sameGrid(const Grid& a, const Grid& b);

/// "128 × 128 × 60 voxels of 2 × 2 × 2.2 mm"
std::string describeGrid(const Grid& grid);

/// How a grid differs from the expected one: "64 × 64 × 30 voxels of … instead of …", or, if number and size
/// of the voxels are the same, how far away it lies.
std::string otherGrid(const Grid& grid, const Grid& wanted);

/// Nearest anatomical direction of each voxel axis, e.g. "RAS", "LPS".
std::string orientationCode(const Grid& grid);

}  // namespace sulcus
