#pragma once

#include "core/math/vec3.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sulcus {

/// Three numbers a voxel, in three arrays with a layer of zeros around the grid (registration_body.h).
template <class Real>
struct VectorField {
  Vec3<int> size{0, 0, 0};
  std::int64_t row = 0, plane = 0;  ///< strides of y and z
  std::array<std::vector<Real>, 3> values;

  VectorField() = default;
  explicit VectorField(const Vec3<int>& n) : size(n), row((n.x + 2 + 7) / 8 * 8), plane(row * (n.y + 2)) {
    for (auto& component : values) component.assign(std::size_t(plane * (n.z + 2)), Real(0));
  }

  std::int64_t index(int x, int y, int z) const { return x + 1 + row * (y + 1) + plane * (z + 1); }
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

/// 1/spacing, as every part of a level uses it; half of it is exact.
template <class Real>
Vec3<Real> inverseOf(const Vec3<double>& spacing) {
  return {Real(1 / spacing.x), Real(1 / spacing.y), Real(1 / spacing.z)};
}

/// Voxels first…last of an axis may move; those at its ends have u = 0. An axis of one voxel has no ends: the
/// image is a plane there.
struct Interior {
  int first, last;
};
inline Interior interior(int size) { return size == 1 ? Interior{0, 0} : Interior{1, size - 2}; }

}  // namespace sulcus
