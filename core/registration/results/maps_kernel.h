#pragma once

#include "core/image/volume.h"
#include "core/math/affine.h"
#include "core/registration/deformation/registration_kernel.h"
#include "core/registration/deformation/vector_field.h"

// The maps of a displacement at one voxel, for CPU and GPU, which get the same bits: see
// registration_kernel.h. Positions are in voxels, and in double.

namespace sulcus::registration {

/// A VectorField as pointers to the components of voxel (0, 0, 0).
struct FieldArrays {
  const float* u[3];
  Vec3<int> size;
  std::int64_t row, plane;  ///< strides of y and z

  SULCUS_HD_INLINE std::int64_t index(Vec3<int> v) const { return v.x + row * v.y + plane * v.z; }
  SULCUS_HD_INLINE Vec3<float> at(Vec3<int> v) const {
    const std::int64_t i = index(v);
    return {u[0][i], u[1][i], u[2][i]};
  }
};

inline FieldArrays arraysOf(const VectorField<float>& u) {
  return {{u.at(0, 0, 0, 0), u.at(1, 0, 0, 0), u.at(2, 0, 0, 0)}, u.size, u.row, u.plane};
}

/// An Affine for CPU and GPU.
struct AffineMap {
  Vec3<double> rows[3], t;

  AffineMap(const Affine& map) : t(map.t) {
    for (int i = 0; i < 3; ++i) {
      const auto& row = map.m[std::size_t(i)];
      rows[i] = {row[0], row[1], row[2]};
    }
  }
  SULCUS_HD_INLINE Vec3<double> point(Vec3<double> p) const {
    return {dot(rows[0], p) + t.x, dot(rows[1], p) + t.y, dot(rows[2], p) + t.z};
  }
};

SULCUS_HD_INLINE Vec3<double> placeOf(Vec3<int> voxel) {
  return {double(voxel.x), double(voxel.y), double(voxel.z)};
}

/// The voxel with the index i of an image, x fastest.
SULCUS_HD_INLINE Vec3<int> voxelAt(Vec3<int> size, std::int64_t i) {
  const std::int64_t row = i / size.x;
  return {int(i - row * size.x), int(row % size.y), int(row / size.y)};
}

/// Converts a cell of a field's grid to its arrays, whose strides differ because of the border.
SULCUS_HD_INLINE Cell<double> cellInField(const FieldArrays& field, Cell<double> cell) {
  cell.corner = field.index(voxelAt(field.size, cell.corner));
  if (cell.dy != 0) cell.dy = field.row;
  if (cell.dz != 0) cell.dz = field.plane;
  return cell;
}

/// Advances to the next voxel in memory.
SULCUS_HD_INLINE void advance(Vec3<int> size, Vec3<int>& voxel) {
  if (++voxel.x < size.x) return;
  voxel.x = 0;
  if (++voxel.y < size.y) return;
  voxel.y = 0;
  ++voxel.z;
}

/// x − u(x), for a voxel x.
///
/// @param u        mm along the voxel axes
/// @param spacing  mm
SULCUS_HD_INLINE Vec3<double> movedPlace(Vec3<int> voxel, Vec3<float> u, Vec3<double> spacing) {
  return {voxel.x - u.x / spacing.x, voxel.y - u.y / spacing.y, voxel.z - u.z / spacing.z};
}

/// The displacement from a voxel of the reference to its point in the template, mm, RAS+.
SULCUS_HD_INLINE Vec3<double> displacementToTemplate(Vec3<int> voxel, Vec3<float> u, Vec3<double> spacing,
                                                     const AffineMap& worldFromVoxel,
                                                     const AffineMap& templateFromReference) {
  return templateFromReference.point(worldFromVoxel.point(movedPlace(voxel, u, spacing))) -
         worldFromVoxel.point(placeOf(voxel));
}

/// The image interpolated at a position; outside, at the nearest point inside.
SULCUS_HD_INLINE float interpolatedAt(VolumeView<const float> image, Vec3<double> p) {
  return float(interpolated(image.data, cellAt(image.size, p.x, p.y, p.z)));
}

/// The position to which a displacement maps a voxel of its own grid, in voxels of an image.
///
/// @param displacement  mm, RAS+
SULCUS_HD_INLINE Vec3<double> displacedPlace(const AffineMap& imageVoxelFromWorld,
                                             const AffineMap& worldFromVoxel, Vec3<int> voxel,
                                             Vec3<float> displacement) {
  const Vec3<double> d{displacement.x, displacement.y, displacement.z};
  return imageVoxelFromWorld.point(worldFromVoxel.point(placeOf(voxel)) + d);
}

/// log J at a voxel, by central differences.
///
/// @param half  1/(2 spacing), 1/mm
SULCUS_HD_INLINE float logJacobianAt(const FieldArrays& field, Vec3<int> voxel, Vec3<float> half) {
  const std::int64_t i = field.index(voxel);
  return logOnePlus(volumeChange(
      centralGradient(field.u[0] + i, field.u[1] + i, field.u[2] + i, field.row, field.plane, half)));
}

/// Statistics of the voxels of a row, or of all rows.
struct RowFigures {
  double sum = 0, squares = 0, smallest = INFINITY;  ///< of log J
  double reach = 0;                                  ///< the largest |u|, mm

  SULCUS_HD_INLINE void add(float logJacobian, Vec3<float> u) {
    const double l = logJacobian, length = norm(u);
    sum += l;
    squares = fusedMultiplyAdd(l, l, squares);
    smallest = l < smallest ? l : smallest;
    reach = length > reach ? length : reach;
  }
};

/// The number of cells along each axis; an axis of one voxel has one.
SULCUS_HD_INLINE Vec3<int> cellsOf(Vec3<int> n) {
  const auto cells = [](int voxels) { return voxels > 1 ? voxels - 1 : 1; };
  return {cells(n.x), cells(n.y), cells(n.z)};
}

/// The smallest of the eight J of the cell above a voxel.
///
/// @param inverse  1/spacing, 1/mm
SULCUS_HD_INLINE double smallestCellJ(const FieldArrays& field, Vec3<int> cell, Vec3<double> inverse) {
  const Vec3<int>& n = field.size;
  const auto stepOf = [](int voxels, std::int64_t stride) { return voxels > 1 ? stride : 0; };
  const auto added = [](bool isUpper, std::int64_t step) { return isUpper ? step : 0; };
  const auto inwards = [](bool isUpper, auto step) { return isUpper ? -step : step; };
  const Vec3<std::int64_t> up{stepOf(n.x, 1), stepOf(n.y, field.row), stepOf(n.z, field.plane)};
  const std::int64_t lowest = field.index(cell);
  double smallest = INFINITY;
  for (int corner = 0; corner < 8; ++corner) {
    const bool x = corner & 1, y = corner & 2, z = corner & 4;
    const std::int64_t at = lowest + added(x, up.x) + added(y, up.y) + added(z, up.z);
    // The differences go from this corner into the cell.
    const double j =
        cornerJ(field.u[0] + at, field.u[1] + at, field.u[2] + at,
                Vec3<std::int64_t>{inwards(x, up.x), inwards(y, up.y), inwards(z, up.z)},
                Vec3<double>{inwards(x, inverse.x), inwards(y, inverse.y), inwards(z, inverse.z)});
    smallest = j < smallest ? j : smallest;
  }
  return smallest;
}

}  // namespace sulcus::registration
