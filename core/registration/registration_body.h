#pragma once

#include "core/math/pack.h"
#include "core/math/vec3.h"

#include <bit>
#include <cmath>
#include <cstdint>

// Formulas of one voxel of the registration, h(x) = x − u(x), for CPU and GPU, float and double.
//
// Frame: u and v are in mm along the axes of the reference grid (component i along voxel axis i), so each
// derivative is a difference of neighbours over the spacing, oblique and flipped grids need no rotation, and
// J is that of the world frame. Vector fields are three arrays with a layer of zeros around the grid: u = 0
// outside needs no branch. Arguments are values: loops over x then run on vectors.

namespace sulcus {

/// ij: row i, column j.
template <class T>
struct Mat3 {
  T xx, xy, xz, yx, yy, yz, zx, zy, zz;
};

/// Central differences: ij = ∂ⱼ uᵢ. `row` and `plane` are the strides of y and z, `half` is 1/(2 spacing).
template <class T>
SULCUS_HD_INLINE Mat3<T> centralGradient(const T* ux, const T* uy, const T* uz, std::int64_t row,
                                         std::int64_t plane, Vec3<T> half) {
  return {half.x * (ux[1] - ux[-1]), half.y * (ux[row] - ux[-row]), half.z * (ux[plane] - ux[-plane]),
          half.x * (uy[1] - uy[-1]), half.y * (uy[row] - uy[-row]), half.z * (uy[plane] - uy[-plane]),
          half.x * (uz[1] - uz[-1]), half.y * (uz[row] - uz[-row]), half.z * (uz[plane] - uz[-plane])};
}

/// j = J − 1 = det(I − g) − 1, expanded so that no two near-equal numbers are subtracted.
template <class T>
SULCUS_HD_INLINE T volumeChange(Mat3<T> g) {
  const T minors = (g.xx * g.yy - g.xy * g.yx) + (g.xx * g.zz - g.xz * g.zx) + (g.yy * g.zz - g.yz * g.zy);
  const T determinant = g.xx * (g.yy * g.zz - g.yz * g.zy) - g.xy * (g.yx * g.zz - g.yz * g.zx) +
                        g.xz * (g.yx * g.zy - g.yy * g.zx);
  return minors - (g.xx + g.yy + g.zz) - determinant;
}

/// log(1 + j) for j > −1, to rounding near j = 0.
SULCUS_HD_INLINE double logOnePlus(double j) { return log1p(j); }
SULCUS_HD_INLINE float logOnePlus(float j) {
#ifdef __CUDA_ARCH__
  return log1pf(j);
#else
  // 1 + j = 2ᵏ (1 + f), 1 + f in [√½, √2); log(1 + f) = 2 artanh(f / (2 + f)). Without branches, so that a
  // loop over x runs on vectors.
  constexpr float ln2 = 0.69314718f;
  const std::int32_t bits = std::bit_cast<std::int32_t>(1 + j);
  const std::int32_t k = (bits - 0x3f3504f3) >> 23;
  const float f = k == 0 ? j : std::bit_cast<float>(bits - (k << 23)) - 1;
  const float s = f / (2 + f), z = s * s;
  return float(k) * ln2 + 2 * s * (1 + z * (1 / 3.f + z * (1 / 5.f + z * (1 / 7.f + z * (1 / 9.f)))));
#endif
}

/// (J − 1) log J: what the bias term sums.
template <class T>
SULCUS_HD_INLINE T biasDensity(T j) {
  return j * logOnePlus(j);
}

/// L' = 1 + log J − 1/J, its derivative by J.
template <class T>
SULCUS_HD_INLINE T biasSlope(T j) {
  return logOnePlus(j) + j / (1 + j);
}

/// cofᵢⱼ L' with the cofactors of I − g; dᵢ = Σⱼ ∂ⱼ of it is the gradient of the bias term by uᵢ.
template <class T>
SULCUS_HD_INLINE Mat3<T> biasStress(Mat3<T> g) {
  const T slope = biasSlope(volumeChange(g));
  const T ax = 1 - g.xx, ay = 1 - g.yy, az = 1 - g.zz;
  return {
      slope * (ay * az - g.yz * g.zy),   slope * (g.yx * az + g.yz * g.zx), slope * (g.yx * g.zy + ay * g.zx),
      slope * (g.xy * az + g.xz * g.zy), slope * (ax * az - g.xz * g.zx),   slope * (ax * g.zy + g.xy * g.zx),
      slope * (g.xy * g.yz + g.xz * ay), slope * (ax * g.yz + g.xz * g.yx), slope * (ax * ay - g.xy * g.yx)};
}

/// Dhᵀ f = f − (∂u)ᵀ f: the force as a velocity of the composition h∘(x − dt v) feels it.
template <class T>
SULCUS_HD_INLINE Vec3<T> pulledBack(Mat3<T> g, Vec3<T> f) {
  return {f.x - (g.xx * f.x + g.yx * f.y + g.zx * f.z), f.y - (g.xy * f.x + g.yy * f.y + g.zy * f.z),
          f.z - (g.xz * f.x + g.yz * f.y + g.zz * f.z)};
}

/// u_new(x) = u(x − dt v) + dt v by trilinear interpolation, where no component of dt v exceeds a voxel: the
/// 27 neighbours with tent weights, of which at most 8 are not 0. `move` is dt v, `inverseSpacing` 1/spacing.
template <class T>
SULCUS_HD_INLINE Vec3<T> composed(const T* ux, const T* uy, const T* uz, std::int64_t row, std::int64_t plane,
                                  Vec3<T> move, Vec3<T> inverseSpacing) {
  const T dx = move.x * inverseSpacing.x, dy = move.y * inverseSpacing.y, dz = move.z * inverseSpacing.z;
  const auto positive = [](T d) { return d > 0 ? d : T(0); };
  const T wx[3] = {positive(dx), 1 - positive(dx) - positive(-dx), positive(-dx)};
  const T wy[3] = {positive(dy), 1 - positive(dy) - positive(-dy), positive(-dy)};
  const T wz[3] = {positive(dz), 1 - positive(dz) - positive(-dz), positive(-dz)};
  Vec3<T> sum = move;
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k)
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
      const std::int64_t at = (j - 1) * row + (k - 1) * plane;
      const T w = wy[j] * wz[k];
      sum.x += w * (wx[0] * ux[at - 1] + wx[1] * ux[at] + wx[2] * ux[at + 1]);
      sum.y += w * (wx[0] * uy[at - 1] + wx[1] * uy[at] + wx[2] * uy[at + 1]);
      sum.z += w * (wx[0] * uz[at - 1] + wx[1] * uz[at] + wx[2] * uz[at + 1]);
    }
  return sum;
}

/// A cell of the grid and the place in it: the corner with the lowest index, steps to the next ones, weights.
template <class T>
struct Cell {
  std::int64_t corner, dx, dy, dz;
  T fx, fy, fz;  ///< 0…1
};

/// The cell of a position in voxels; what lies outside is moved to the nearest point of the grid.
template <class T>
SULCUS_HD_INLINE Cell<T> cellAt(Vec3<int> size, T x, T y, T z) {
  const auto inside = [](T p, int n) { return p > 0 ? (p < T(n - 1) ? p : T(n - 1)) : T(0); };  // NaN: 0
  const auto lower = [](T p, int n) { return n < 2 ? 0 : int(p) < n - 2 ? int(p) : n - 2; };
  x = inside(x, size.x), y = inside(y, size.y), z = inside(z, size.z);
  const int i = lower(x, size.x), j = lower(y, size.y), k = lower(z, size.z);
  const std::int64_t row = size.x, plane = std::int64_t(size.x) * size.y;
  return {i + j * row + k * plane,
          size.x > 1 ? 1 : 0,
          size.y > 1 ? row : 0,
          size.z > 1 ? plane : 0,
          x - T(i),
          y - T(j),
          z - T(k)};
}

/// A voxel of the template with its central differences: value, ∂x, ∂y, ∂z in 1/mm.
template <class T>
struct alignas(4 * sizeof(T)) Texel {
  T v[4];
};

/// Template and [central gradient] at a position in voxels, trilinear.
template <class T>
SULCUS_HD_INLINE Texel<T> sampled(const Texel<T>* image, Vec3<int> size, T x, T y, T z) {
  const Cell<T> c = cellAt(size, x, y, z);
  const Texel<T>* const p = image + c.corner;
  Texel<T> result;
  const T gx = 1 - c.fx, gy = 1 - c.fy, gz = 1 - c.fz;
  const T w[8] = {gx * gy * gz,   c.fx * gy * gz,   gx * c.fy * gz,   c.fx * c.fy * gz,
                  gx * gy * c.fz, c.fx * gy * c.fz, gx * c.fy * c.fz, c.fx * c.fy * c.fz};
  for (int i = 0; i < 4; ++i)
    result.v[i] = w[0] * p[0].v[i] + w[1] * p[c.dx].v[i] + w[2] * p[c.dy].v[i] + w[3] * p[c.dx + c.dy].v[i] +
                  w[4] * p[c.dz].v[i] + w[5] * p[c.dz + c.dx].v[i] + w[6] * p[c.dz + c.dy].v[i] +
                  w[7] * p[c.dz + c.dy + c.dx].v[i];
  return result;
}

/// Trilinear interpolation of one value a voxel.
template <class T, class Value>
SULCUS_HD_INLINE T interpolated(const Value* p, const Cell<T>& c) {
  const auto along = [](T f, T a, T b) { return a + f * (b - a); };
  const T low = along(c.fy, along(c.fx, T(p[c.corner]), T(p[c.corner + c.dx])),
                      along(c.fx, T(p[c.corner + c.dy]), T(p[c.corner + c.dy + c.dx])));
  const T high = along(c.fy, along(c.fx, T(p[c.corner + c.dz]), T(p[c.corner + c.dz + c.dx])),
                       along(c.fx, T(p[c.corner + c.dz + c.dy]), T(p[c.corner + c.dz + c.dy + c.dx])));
  return along(c.fz, low, high);
}

/// Template and the derivative of its trilinear interpolant at a position in voxels. On a face between cells
/// the derivative is that of the cell above.
template <class T>
SULCUS_HD_INLINE Texel<T> sampledExactly(const Texel<T>* image, Vec3<int> size, T x, T y, T z,
                                         Vec3<T> inverseSpacing) {
  const Cell<T> c = cellAt(size, x, y, z);
  const Texel<T>* const p = image + c.corner;
  const T a000 = p[0].v[0], a100 = p[c.dx].v[0], a010 = p[c.dy].v[0], a110 = p[c.dx + c.dy].v[0],
          a001 = p[c.dz].v[0], a101 = p[c.dz + c.dx].v[0], a011 = p[c.dz + c.dy].v[0],
          a111 = p[c.dz + c.dy + c.dx].v[0];
  const auto along = [](T f, T a, T b) { return a + f * (b - a); };
  const T dx = along(c.fz, along(c.fy, a100 - a000, a110 - a010), along(c.fy, a101 - a001, a111 - a011));
  const T y00 = along(c.fx, a000, a100), y10 = along(c.fx, a010, a110), y01 = along(c.fx, a001, a101),
          y11 = along(c.fx, a011, a111);
  const T z0 = along(c.fy, y00, y10), z1 = along(c.fy, y01, y11);
  return {{along(c.fz, z0, z1), inverseSpacing.x * dx, inverseSpacing.y * along(c.fz, y10 - y00, y11 - y01),
           inverseSpacing.z * (z1 - z0)}};
}

}  // namespace sulcus
