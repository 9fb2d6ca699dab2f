#pragma once

#include "core/math/pack.h"
#include "core/math/vec3.h"

#include <cmath>
#include <cstdint>

// Formulas of one voxel of the registration, h(x) = x − u(x), for CPU and GPU, float and double.
//
// Frame: u and v are in mm along the axes of the reference grid (component i along voxel axis i), so each
// derivative is a difference of neighbours over the spacing, oblique and flipped grids need no rotation, and
// J is that of the world frame. Vector fields are three arrays with a layer of zeros around the grid: u = 0
// outside needs no branch. Arguments are values: loops over x then run on vectors.
//
// CPU and GPU get the same bits, so that the step control decides alike: each sum is written here once, in
// the order of its terms, a product that is added always as fusedMultiplyAdd; both compilers are told to fuse
// nothing else. Only the energies, sums over all voxels in double, may differ in their last digits.

/// Before a short loop over neighbours.
#ifdef __CUDACC__
#define SULCUS_UNROLL _Pragma("unroll")
#else
#define SULCUS_UNROLL _Pragma("GCC unroll 9")
#endif

namespace sulcus {

/// ij: row i, column j.
template <class T>
struct Mat3 {
  T xx, xy, xz, yx, yy, yz, zx, zy, zz;
};

/// Central differences: ij = ∂ⱼ uᵢ. `row` and `plane` are the strides of y and z, `half` is 1/(2 spacing).
template <class T, class Index>
SULCUS_HD_INLINE Mat3<T> centralGradient(const T* ux, const T* uy, const T* uz, Index row, Index plane,
                                         Vec3<T> half) {
  return {half.x * (ux[1] - ux[-1]), half.y * (ux[row] - ux[-row]), half.z * (ux[plane] - ux[-plane]),
          half.x * (uy[1] - uy[-1]), half.y * (uy[row] - uy[-row]), half.z * (uy[plane] - uy[-plane]),
          half.x * (uz[1] - uz[-1]), half.y * (uz[row] - uz[-row]), half.z * (uz[plane] - uz[-plane])};
}

/// a b − c d.
template <class T>
SULCUS_HD_INLINE T productDifference(T a, T b, T c, T d) {
  return fusedMultiplyAdd(a, b, -(c * d));
}

/// j = J − 1 = det(I − g) − 1, expanded so that no two near-equal numbers are subtracted.
template <class T>
SULCUS_HD_INLINE T volumeChange(Mat3<T> g) {
  const T xy = productDifference(g.xx, g.yy, g.xy, g.yx), xz = productDifference(g.xx, g.zz, g.xz, g.zx),
          yz = productDifference(g.yy, g.zz, g.yz, g.zy);
  const T determinant =
      fusedMultiplyAdd(g.xx, yz,
                       fusedMultiplyAdd(g.xz, productDifference(g.yx, g.zy, g.yy, g.zx),
                                        -(g.xy * productDifference(g.yx, g.zz, g.yz, g.zx))));
  return ((xy + xz) + yz) - ((g.xx + g.yy) + g.zz) - determinant;
}

/// Steps that make a voxel's volume smaller than this share of its own are refused: log J and 1/J stay tame.
inline constexpr double kSmallestJ = 1e-2;

/// False also where j = J − 1 is not a number.
template <class T>
SULCUS_HD_INLINE bool keepsVolume(T j) {
  return j > T(kSmallestJ - 1);
}

/// How far around a voxel that would vanish the velocity is held back, in voxels.
inline constexpr int kHoldRadius = 6;

/// The share of its velocity that a voxel loses there: all at the voxel itself and the 26 around it, so that
/// its J stays what it was, then smoothly less and none from kHoldRadius on.
template <class T>
SULCUS_HD_INLINE T heldShare(int squaredDistance) {
  constexpr int all = 3, none = kHoldRadius * kHoldRadius;
  if (squaredDistance <= all) return 1;
  if (squaredDistance >= none) return 0;
  const T t = T(none - squaredDistance) / T(none - all);
  return t * t * (3 - 2 * t);
}

/// log(1 + j) for j > −1, to rounding near j = 0.
SULCUS_HD_INLINE double logOnePlus(double j) { return ::log1p(j); }
SULCUS_HD_INLINE float logOnePlus(float j) {
  // 1 + j = 2ᵏ (1 + f), 1 + f in [√½, √2), f with what the rounding of 1 + j lost; log(1 + f) = f − f²/2 +
  // s (f²/2 + 2 s² (1/3 + s²/5 + …)), s = f / (2 + f). Without branches: a loop over x runs on vectors.
  const float sum = 1 + j, lost = j - (sum - 1);
  const std::uint32_t bits = bitsOf(sum);
  const std::int32_t k = std::int32_t(bits - 0x3f3504f3u) >> 23;
  const std::uint32_t exponent = std::uint32_t(k) << 23;
  const float f = fusedMultiplyAdd(lost, floatOf(0x3f800000u - exponent), floatOf(bits - exponent) - 1);
  const float s = f / (2 + f), z = s * s, half = 0.5f * f * f;
  const float series =
      fusedMultiplyAdd(z, fusedMultiplyAdd(z, fusedMultiplyAdd(z, 2 / 9.f, 2 / 7.f), 2 / 5.f), 2 / 3.f);
  return fusedMultiplyAdd(float(k), 0.69314718f,
                          f - fusedMultiplyAdd(-s, fusedMultiplyAdd(z, series, half), half));
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
  const auto sum = [](T a, T b, T c, T d) { return fusedMultiplyAdd(a, b, c * d); };
  return {slope * productDifference(ay, az, g.yz, g.zy),
          slope * sum(g.yx, az, g.yz, g.zx),
          slope * sum(g.yx, g.zy, ay, g.zx),
          slope * sum(g.xy, az, g.xz, g.zy),
          slope * productDifference(ax, az, g.xz, g.zx),
          slope * sum(ax, g.zy, g.xy, g.zx),
          slope * sum(g.xy, g.yz, g.xz, ay),
          slope * sum(ax, g.yz, g.xz, g.yx),
          slope * productDifference(ax, ay, g.xy, g.yx)};
}

/// f − λ dᵢ for one component, from the differences of cofᵢⱼ L' between the neighbours above and below along
/// x, y, z. `half` is 1/(2 spacing).
template <class T>
SULCUS_HD_INLINE T withBiasForce(T f, T lambda, Vec3<T> differences, Vec3<T> half) {
  const T divergence = fusedMultiplyAdd(half.x, differences.x,
                                        fusedMultiplyAdd(half.y, differences.y, half.z * differences.z));
  return fusedMultiplyAdd(-lambda, divergence, f);
}

/// Dhᵀ f = f − (∂u)ᵀ f: the force as a velocity of the composition h∘(x − dt v) feels it.
template <class T>
SULCUS_HD_INLINE Vec3<T> pulledBack(Mat3<T> g, Vec3<T> f) {
  const auto less = [f](T sum, T gx, T gy, T gz) {
    return fusedMultiplyAdd(-gx, f.x, fusedMultiplyAdd(-gy, f.y, fusedMultiplyAdd(-gz, f.z, sum)));
  };
  return {less(f.x, g.xx, g.yx, g.zx), less(f.y, g.xy, g.yy, g.zy), less(f.z, g.xz, g.yz, g.zz)};
}

// A Gaussian, along x, then y, then z: sum = w[0] a(0), then sum = fusedMultiplyAdd(w[k], a(−k) + a(k), sum)
// for k = 1…r. Odd continuation makes a(−k) = −a(k) about a border voxel, which so stays at 0 exactly.

/// Velocity from the last one and the smoothed force.
template <class T>
SULCUS_HD_INLINE T withMomentum(T smoothed, T last, T momentum) {
  return fusedMultiplyAdd(momentum, last, smoothed);
}

/// Square of a length in voxels, component by component from x on: begin with `sum` 0.
template <class T>
SULCUS_HD_INLINE T withSquare(T sum, T v, T inverseSpacing) {
  const T voxels = inverseSpacing * v;
  return fusedMultiplyAdd(voxels, voxels, sum);
}

/// u_new(x) = u(x − dt v) + dt v by trilinear interpolation, where no component of dt v exceeds a voxel: the
/// 27 neighbours with tent weights, of which at most 8 are not 0 (leaving out the others changes no bit).
/// `move` is dt v, `inverseSpacing` 1/spacing.
template <class T>
SULCUS_HD_INLINE Vec3<T> composed(const T* ux, const T* uy, const T* uz, std::int64_t row, std::int64_t plane,
                                  Vec3<T> move, Vec3<T> inverseSpacing) {
  const T dx = move.x * inverseSpacing.x, dy = move.y * inverseSpacing.y, dz = move.z * inverseSpacing.z;
  const auto positive = [](T d) { return d > 0 ? d : T(0); };
  const T wx[3] = {positive(dx), 1 - positive(dx) - positive(-dx), positive(-dx)};
  const T wy[3] = {positive(dy), 1 - positive(dy) - positive(-dy), positive(-dy)};
  const T wz[3] = {positive(dz), 1 - positive(dz) - positive(-dz), positive(-dz)};
  Vec3<T> sum = move;
  SULCUS_UNROLL
  for (int tap = 0; tap < 9; ++tap) {
    const int j = tap % 3, k = tap / 3;
    const std::int64_t at = (j - 1) * row + (k - 1) * plane;
    const T w = wy[j] * wz[k];
    const auto along = [&](const T* u) {
      return fusedMultiplyAdd(wx[0], u[at - 1], fusedMultiplyAdd(wx[1], u[at], wx[2] * u[at + 1]));
    };
    sum.x = fusedMultiplyAdd(w, along(ux), sum.x);
    sum.y = fusedMultiplyAdd(w, along(uy), sum.y);
    sum.z = fusedMultiplyAdd(w, along(uz), sum.z);
  }
  return sum;
}

/// A cell of the grid and the place in it: the corner with the lowest index, steps to the next ones, weights.
/// An Index of 32 bits halves the GPU's work on addresses; it takes less than 2³¹ voxels.
template <class T, class Index = std::int64_t>
struct Cell {
  Index corner, dx, dy, dz;
  T fx, fy, fz;  ///< 0…1
};

/// The cell of a position in voxels; what lies outside is moved to the nearest point of the grid.
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE Cell<T, Index> cellAt(Vec3<int> size, T x, T y, T z) {
  const auto inside = [](T p, int n) { return p > 0 ? (p < T(n - 1) ? p : T(n - 1)) : T(0); };  // NaN: 0
  const auto lower = [](T p, int n) { return n < 2 ? 0 : int(p) < n - 2 ? int(p) : n - 2; };
  x = inside(x, size.x), y = inside(y, size.y), z = inside(z, size.z);
  const int i = lower(x, size.x), j = lower(y, size.y), k = lower(z, size.z);
  const Index row = size.x, plane = Index(size.x) * size.y;
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

/// The texel of a voxel; differences reach no further than the image. `half` is 1/(2 spacing).
template <class T>
SULCUS_HD_INLINE Texel<T> texelAt(const T* image, Vec3<int> size, int x, int y, int z, Vec3<T> half) {
  const std::int64_t row = size.x, plane = row * size.y;
  const T* const p = image + x + row * y + plane * z;
  return {{*p, half.x * (p[x + 1 < size.x ? 1 : 0] - p[x > 0 ? -1 : 0]),
           half.y * (p[y + 1 < size.y ? row : 0] - p[y > 0 ? -row : 0]),
           half.z * (p[z + 1 < size.z ? plane : 0] - p[z > 0 ? -plane : 0])}};
}

/// All four numbers in one access: the GPU's compiler would take four.
template <class T>
SULCUS_HD_INLINE Texel<T> loaded(const Texel<T>* p) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == sizeof(float)) {
    const float4 t = *reinterpret_cast<const float4*>(p);
    return {{t.x, t.y, t.z, t.w}};
  }
#endif
  return *p;
}

/// Template and [central gradient] at a position in voxels, trilinear.
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE Texel<T> sampled(const Texel<T>* image, Vec3<int> size, T x, T y, T z) {
  const Cell<T, Index> c = cellAt<Index>(size, x, y, z);
  const Texel<T>* const p = image + c.corner;
  const T gx = 1 - c.fx, gy = 1 - c.fy, gz = 1 - c.fz;
  const T w00 = gy * gz, w10 = c.fy * gz, w01 = gy * c.fz, w11 = c.fy * c.fz;
  const T w[8] = {gx * w00, c.fx * w00, gx * w10, c.fx * w10, gx * w01, c.fx * w01, gx * w11, c.fx * w11};
  const Index at[8] = {0, c.dx, c.dy, c.dx + c.dy, c.dz, c.dz + c.dx, c.dz + c.dy, c.dz + c.dy + c.dx};
  Texel<T> result = loaded(p);
  for (int i = 0; i < 4; ++i) result.v[i] = w[0] * result.v[i];
  SULCUS_UNROLL
  for (int corner = 1; corner < 8; ++corner) {
    const Texel<T> t = loaded(p + at[corner]);
    for (int i = 0; i < 4; ++i) result.v[i] = fusedMultiplyAdd(w[corner], t.v[i], result.v[i]);
  }
  return result;
}

/// Trilinear interpolation of one value a voxel.
template <class T, class Value>
SULCUS_HD_INLINE T interpolated(const Value* p, const Cell<T>& c) {
  const auto along = [](T f, T a, T b) { return fusedMultiplyAdd(f, b - a, a); };
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
  const auto along = [](T f, T a, T b) { return fusedMultiplyAdd(f, b - a, a); };
  const T dx = along(c.fz, along(c.fy, a100 - a000, a110 - a010), along(c.fy, a101 - a001, a111 - a011));
  const T y00 = along(c.fx, a000, a100), y10 = along(c.fx, a010, a110), y01 = along(c.fx, a001, a101),
          y11 = along(c.fx, a011, a111);
  const T z0 = along(c.fy, y00, y10), z1 = along(c.fy, y01, y11);
  return {{along(c.fz, z0, z1), inverseSpacing.x * dx, inverseSpacing.y * along(c.fz, y10 - y00, y11 - y01),
           inverseSpacing.z * (z1 - z0)}};
}

/// What the images say at a voxel.
template <class T>
struct ImageTerm {
  T misfit;       ///< T(x − u) − R; 0 where R is not a number: the images are not compared there
  Vec3<T> force;  ///< misfit times ∇T(x − u)
};

/// @param exact  ∇T as the derivative of the interpolant, else by central differences
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE ImageTerm<T> imageTerm(const Texel<T>* image, Vec3<int> size, Vec3<int> voxel, Vec3<T> u,
                                        T reference, Vec3<T> inverseSpacing, bool exact) {
  const T x = fusedMultiplyAdd(-inverseSpacing.x, u.x, T(voxel.x)),
          y = fusedMultiplyAdd(-inverseSpacing.y, u.y, T(voxel.y)),
          z = fusedMultiplyAdd(-inverseSpacing.z, u.z, T(voxel.z));
  const Texel<T> t =
      exact ? sampledExactly(image, size, x, y, z, inverseSpacing) : sampled<Index>(image, size, x, y, z);
  const T misfit = reference == reference ? t.v[0] - reference : T(0);
  return {misfit, {misfit * t.v[1], misfit * t.v[2], misfit * t.v[3]}};
}

/// Where index i lies in 0 … n − 1 when values are continued oddly about 0 and n − 1, and with which sign.
struct Odd {
  int index;
  float sign;
};
SULCUS_HD_INLINE Odd oddly(int i, int n) {
  if (i >= 0 && i < n) return {i, 1.0f};
  if (n == 1) return {0, 1.0f};
  const int period = 2 * (n - 1);
  i %= period;
  if (i < 0) i += period;
  return i < n ? Odd{i, 1.0f} : Odd{period - i, -1.0f};
}

}  // namespace sulcus
