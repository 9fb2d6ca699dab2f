#pragma once

#include "core/math/simd.h"
#include "core/math/vec3.h"

#include <array>
#include <cmath>
#include <cstdint>

// Trilinear interpolation of values on a grid, x fastest, for CPU and GPU. Positions are in voxels: voxel
// (i, j, k) has its center at (i, j, k).

namespace sulcus {

/// The eight voxels around a position: the index of the one with the lowest coordinates, the steps from it to
/// the next ones along x, y and z, and how far along each step the position lies. An axis of one voxel has
/// the step 0. An Index of 32 bits halves the GPU's work on addresses and suffices below 2³¹ voxels.
template <class T, class Index = std::int64_t>
struct Cell {
  Index corner, dx, dy, dz;
  T fx, fy, fz;  ///< 0…1, except in a cell of extendedCellAt()
};

/// The lower of the two voxels around p on an axis of n voxels, for p in 0…n − 1.
template <class T>
SULCUS_HD_INLINE int lowerVoxel(T p, int n) {
  if (n < 2) return 0;
  return int(p) < n - 2 ? int(p) : n - 2;
}

/// p clamped to 0…n − 1; 0 if p is NaN.
template <class T>
SULCUS_HD_INLINE T clampedToAxis(T p, int n) {
  if (!(p > 0)) return T(0);
  return p < T(n - 1) ? p : T(n - 1);
}

/// The cell whose lowest voxel is (i, j, k).
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE Cell<T, Index> cellFrom(Vec3<int> size, int i, int j, int k, T fx, T fy, T fz) {
  const Index row = size.x, plane = Index(size.x) * size.y;
  const Index dx = size.x > 1 ? 1 : 0;
  const Index dy = size.y > 1 ? row : 0;
  const Index dz = size.z > 1 ? plane : 0;
  return {i + j * row + k * plane, dx, dy, dz, fx, fy, fz};
}

/// The cell around a position. A position outside of the grid is clamped to it, so that the border values
/// continue outside.
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE Cell<T, Index> cellAt(Vec3<int> size, T x, T y, T z) {
  x = clampedToAxis(x, size.x);
  y = clampedToAxis(y, size.y);
  z = clampedToAxis(z, size.z);
  const int i = lowerVoxel(x, size.x), j = lowerVoxel(y, size.y), k = lowerVoxel(z, size.z);
  return cellFrom<Index>(size, i, j, k, x - T(i), y - T(j), z - T(k));
}

/// The corners of a cell, x fastest, and their trilinear weights.
template <class T, class Index>
struct CellCorners {
  T w[8];
  Index at[8];
};
template <class T, class Index>
SULCUS_HD_INLINE CellCorners<T, Index> cornersOf(const Cell<T, Index>& c) {
  const T gx = 1 - c.fx, gy = 1 - c.fy, gz = 1 - c.fz;
  const T w00 = gy * gz, w10 = c.fy * gz, w01 = gy * c.fz, w11 = c.fy * c.fz;
  return {{gx * w00, c.fx * w00, gx * w10, c.fx * w10, gx * w01, c.fx * w01, gx * w11, c.fx * w11},
          {c.corner, c.corner + c.dx, c.corner + c.dy, c.corner + c.dx + c.dy, c.corner + c.dz,
           c.corner + c.dz + c.dx, c.corner + c.dz + c.dy, c.corner + c.dz + c.dy + c.dx}};
}

/// Like cellAt(), but a position outside of the grid keeps its distance from the nearest cell: fx, fy and fz
/// leave 0…1, and a linear function is extrapolated.
template <class T>
SULCUS_HD_INLINE Cell<T> extendedCellAt(Vec3<int> size, T x, T y, T z) {
  const int i = lowerVoxel(clampedToAxis(x, size.x), size.x),
            j = lowerVoxel(clampedToAxis(y, size.y), size.y),
            k = lowerVoxel(clampedToAxis(z, size.z), size.z);
  const T fx = size.x > 1 ? x - T(i) : T(0);
  const T fy = size.y > 1 ? y - T(j) : T(0);
  const T fz = size.z > 1 ? z - T(k) : T(0);
  return cellFrom(size, i, j, k, fx, fy, fz);
}

/// Linear interpolation from a at f = 0 to b at f = 1.
template <class T>
SULCUS_HD_INLINE T interpolatedBetween(T f, T a, T b) {
  return fusedMultiplyAdd(f, b - a, a);
}

/// The trilinear interpolant in a cell. `values` holds one value per voxel of the grid of the cell.
template <class T, class Value>
SULCUS_HD_INLINE T interpolated(const Value* values, const Cell<T>& c) {
  const Value* const p = values + c.corner;
  const T low = interpolatedBetween(c.fy, interpolatedBetween(c.fx, T(p[0]), T(p[c.dx])),
                                    interpolatedBetween(c.fx, T(p[c.dy]), T(p[c.dy + c.dx])));
  const T high = interpolatedBetween(c.fy, interpolatedBetween(c.fx, T(p[c.dz]), T(p[c.dz + c.dx])),
                                     interpolatedBetween(c.fx, T(p[c.dz + c.dy]), T(p[c.dz + c.dy + c.dx])));
  return interpolatedBetween(c.fz, low, high);
}

/// A trilinear interpolant and its derivatives along x, y and z, per voxel.
template <class T>
struct ValueAndSlope {
  T value, dx, dy, dz;
};

/// The trilinear interpolant of the values of a cell's eight voxels, with its derivative. On a face between
/// two cells the derivative is that of the given cell.
///
/// @param corner   corner(x, y, z), each 0 or 1, is the value of a voxel of the cell
/// @param between  interpolates linearly between two values, such as interpolatedBetween()
template <class T, class Index, class Corner, class Between>
SULCUS_HD_INLINE ValueAndSlope<T> interpolatedWithSlope(const Cell<T, Index>& c, const Corner& corner,
                                                        const Between& between) {
  const T a000 = corner(0, 0, 0), a100 = corner(1, 0, 0), a010 = corner(0, 1, 0), a110 = corner(1, 1, 0),
          a001 = corner(0, 0, 1), a101 = corner(1, 0, 1), a011 = corner(0, 1, 1), a111 = corner(1, 1, 1);
  const T dx =
      between(c.fz, between(c.fy, a100 - a000, a110 - a010), between(c.fy, a101 - a001, a111 - a011));
  const T y00 = between(c.fx, a000, a100), y10 = between(c.fx, a010, a110), y01 = between(c.fx, a001, a101),
          y11 = between(c.fx, a011, a111);
  const T z0 = between(c.fy, y00, y10), z1 = between(c.fy, y01, y11);
  return {between(c.fz, z0, z1), dx, between(c.fz, y10 - y00, y11 - y01), z1 - z0};
}

/// The voxels of a cell, x fastest, as offsets from its lowest voxel.
template <class T>
std::array<std::int64_t, 8> cornerSteps(const Cell<T>& c) {
  return {0, c.dx, c.dy, c.dy + c.dx, c.dz, c.dz + c.dx, c.dz + c.dy, c.dz + c.dy + c.dx};
}

/// The trilinear weights of these voxels.
template <class T>
std::array<T, 8> cornerWeights(const Cell<T>& c) {
  const T x[] = {1 - c.fx, c.fx}, y[] = {1 - c.fy, c.fy}, z[] = {1 - c.fz, c.fz};
  std::array<T, 8> weights;
  for (std::size_t corner = 0; corner < 8; ++corner)
    weights[corner] = x[corner & 1] * y[corner >> 1 & 1] * z[corner >> 2];
  return weights;
}

/// Whether a position lies in the image, that is, within one of its voxels and not only between their
/// centers.
template <class T>
SULCUS_HD_INLINE bool isInImage(const Vec3<int>& size, const Vec3<T>& p) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(p[axis] >= T(-0.5) && p[axis] <= T(size[axis]) - T(0.5))) return false;
  return true;
}

}  // namespace sulcus
