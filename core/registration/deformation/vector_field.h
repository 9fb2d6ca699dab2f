#pragma once

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "core/math/vec3.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// A vector per voxel, in three arrays with a layer of zeros around the grid (registration_kernel.h). The
/// zeros after a row also precede the next one. Voxel 0 of each row is a multiple of eight values from the
/// beginning of its array, where sectors of the GPU's memory begin.
template <class Real>
struct VectorField {
  static constexpr std::int64_t kBefore = 8;  ///< values before the first row

  Vec3<int> size{0, 0, 0};
  std::int64_t row = 0, plane = 0;  ///< strides of y and z
  std::array<std::vector<Real>, 3> values;

  VectorField() = default;
  explicit VectorField(const Vec3<int>& n) : size(n), row(rowOf(n)), plane(row * (n.y + 2)) {
    parallelFor(3, 1, {}, [&](std::int64_t i) { values[i].assign(valuesOf(n), Real(0)); });
  }

  /// A field without values for a grid of n voxels, for its indices.
  static VectorField layoutOf(const Vec3<int>& n) {
    VectorField layout;
    layout.size = n;
    layout.row = rowOf(n);
    layout.plane = layout.row * (n.y + 2);
    return layout;
  }

  static std::int64_t rowOf(const Vec3<int>& n) { return (n.x + 1 + 7) / 8 * 8; }
  /// Length of each array for a grid of n voxels.
  static std::int64_t valuesOf(const Vec3<int>& n) { return kBefore + rowOf(n) * (n.y + 2) * (n.z + 2); }

  std::int64_t index(int x, int y, int z) const { return x + kBefore + row * (y + 1) + plane * (z + 1); }
  Real* at(int component, int x, int y, int z) { return values[component].data() + index(x, y, z); }
  const Real* at(int component, int x, int y, int z) const {
    return values[component].data() + index(x, y, z);
  }
  Vec3<Real> operator()(int x, int y, int z) const {
    return {*at(0, x, y, z), *at(1, x, y, z), *at(2, x, y, z)};
  }
  void set(int x, int y, int z, const Vec3<Real>& value) {
    for (int i = 0; i < 3; ++i) *at(i, x, y, z) = value[i];
  }
};

/// Converts a cell of the grid of `field` to its arrays, whose strides differ because of the border.
template <class Real, class T>
Cell<T> cellInField(const VectorField<Real>& field, Cell<T> cell) {
  const std::int64_t nx = field.size.x, ny = field.size.y;
  cell.corner = field.index(int(cell.corner % nx), int(cell.corner / nx % ny), int(cell.corner / (nx * ny)));
  if (cell.dy != 0) cell.dy = field.row;
  if (cell.dz != 0) cell.dz = field.plane;
  return cell;
}

/// Voxels that a thread processes between two checks of Progress: a millisecond or two of work.
inline constexpr std::int64_t kVoxelsPerBlock = 16384;

/// Calls body(i) for every voxel of an image, on all threads.
template <class Body>
void forEachVoxel(std::size_t voxels, const Body& body) {
  parallelForBlocks(std::int64_t(voxels), 4 * kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) body(i);
  });
}

/// 1/spacing in the precision of a level. All parts of a level use this value, and half of it is exact, so
/// that they get the same bits.
template <class Real>
Vec3<Real> inverseOf(const Vec3<double>& spacing) {
  return {Real(1 / spacing.x), Real(1 / spacing.y), Real(1 / spacing.z)};
}

/// The voxels first…last of an axis, which may move; those at its ends have u = 0. If an axis has a single
/// voxel, as in a plane, this voxel may move.
struct Interior {
  int first, last;
  bool contains(int i) const { return i >= first && i <= last; }
};
inline Interior interior(int size) { return size == 1 ? Interior{0, 0} : Interior{1, size - 2}; }
inline bool mayMove(const Vec3<int>& size, int x, int y, int z) {
  return interior(size.x).contains(x) && interior(size.y).contains(y) && interior(size.z).contains(z);
}

}  // namespace sulcus::registration
