#pragma once

#include "core/image/grids/interpolate.h"
#include "core/math/reproducible_division.h"
#include "core/math/simd.h"
#include "core/math/vec3.h"

#include <cmath>
#include <cstdint>

// The formulas of one voxel of the registration h(x) = x − u(x), for CPU and GPU, in float and double.
//
// The displacement u and the velocity v are in mm along the axes of the reference grid: component i lies
// along voxel axis i. Therefore each derivative is a difference of neighbors over the spacing, oblique and
// flipped grids need no rotation, and J is the same as in the world frame. A vector field is three arrays
// with a layer of zeros around the grid, so that u = 0 outside needs no branch. Arguments are passed by
// value, which lets the compiler run loops over x on vectors.
//
// CPU and GPU get the same bits, so that the step control makes the same decisions on both. To this end, each
// sum is written once, here, with a fixed order of terms, and every product that is added is a
// fusedMultiplyAdd; both compilers are instructed to fuse nothing else. Only the energies, which are sums
// over all voxels in double, may differ in their last digits.

/// Unrolls the following short loop over neighbors.
#ifdef __CUDACC__
#define SULCUS_UNROLL _Pragma("unroll")
#else
#define SULCUS_UNROLL _Pragma("GCC unroll 9")
#endif

namespace sulcus::registration {

/// A 3 × 3 matrix; the member ij is in row i and column j.
template <class T>
struct Mat3 {
  T xx, xy, xz, yx, yy, yz, zx, zy, zz;
};

/// The gradient of u at a voxel by central differences: ij = ∂ⱼ uᵢ.
///
/// @param differences  ij: uᵢ at the neighbor above along axis j minus that at the neighbor below, mm
/// @param half         1/(2 spacing), 1/mm
template <class T>
SULCUS_HD_INLINE Mat3<T> gradientOf(Mat3<T> differences, Vec3<T> half) {
  const Mat3<T>& d = differences;
  return {half.x * d.xx, half.y * d.xy, half.z * d.xz, half.x * d.yx, half.y * d.yy,
          half.z * d.yz, half.x * d.zx, half.y * d.zy, half.z * d.zz};
}

/// The gradient of u at a voxel from its neighbors in memory.
///
/// @param ux, uy, uz  the components of u in mm at the voxel, with their neighbors around them
/// @param row, plane  the strides of y and z
/// @param half        1/(2 spacing), 1/mm
template <class T, class Index>
SULCUS_HD_INLINE Mat3<T> centralGradient(const T* ux, const T* uy, const T* uz, Index row, Index plane,
                                         Vec3<T> half) {
  return gradientOf(
      Mat3<T>{ux[1] - ux[-1], ux[row] - ux[-row], ux[plane] - ux[-plane], uy[1] - uy[-1], uy[row] - uy[-row],
              uy[plane] - uy[-plane], uz[1] - uz[-1], uz[row] - uz[-row], uz[plane] - uz[-plane]},
      half);
}

/// a b − c d.
template <class T>
SULCUS_HD_INLINE T productDifference(T a, T b, T c, T d) {
  return fusedMultiplyAdd(a, b, -(c * d));
}

/// j = J − 1 = det(I − g) − 1 of a gradient g, expanded so that no two near-equal numbers are subtracted.
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

/// J = det(I − g) at one of the eight corners that meet at a voxel, by one-sided differences of u towards
/// three neighbors.
///
/// @param stride   of these neighbors, negative below the voxel
/// @param inverse  1/spacing with the signs of the strides, 1/mm
template <class T, class Value, class Index>
SULCUS_HD_INLINE T cornerJ(const Value* ux, const Value* uy, const Value* uz, Vec3<Index> stride,
                           Vec3<T> inverse) {
  const auto along = [](const Value* u, Index s, T inverse) { return inverse * (T(u[s]) - T(u[0])); };
  const T yx = along(uy, stride.x, inverse.x), zx = along(uz, stride.x, inverse.x),
          xy = along(ux, stride.y, inverse.y), zy = along(uz, stride.y, inverse.y),
          xz = along(ux, stride.z, inverse.z), yz = along(uy, stride.z, inverse.z);
  const T ax = 1 - along(ux, stride.x, inverse.x), ay = 1 - along(uy, stride.y, inverse.y),
          az = 1 - along(uz, stride.z, inverse.z);
  const T first = productDifference(ay, az, yz, zy), second = fusedMultiplyAdd(xy, az, xz * zy),
          third = fusedMultiplyAdd(xy, yz, xz * ay);
  return fusedMultiplyAdd(ax, first, -fusedMultiplyAdd(yx, second, zx * third));
}

/// The smallest J of the eight corners that meet at a voxel. J by central differences is their mean. If it is
/// positive at every voxel, no cell between voxels folds.
template <class T, class Index>
SULCUS_HD_INLINE T smallestCornerJ(const T* ux, const T* uy, const T* uz, Index row, Index plane,
                                   Vec3<T> inverse) {
  const auto towards = [](bool up, auto step) { return up ? step : -step; };
  T smallest{};
  SULCUS_UNROLL
  for (int corner = 0; corner < 8; ++corner) {
    const bool x = corner & 1, y = corner & 2, z = corner & 4;
    const T j = cornerJ(ux, uy, uz, Vec3<Index>{towards(x, Index(1)), towards(y, row), towards(z, plane)},
                        Vec3<T>{towards(x, inverse.x), towards(y, inverse.y), towards(z, inverse.z)});
    smallest = corner == 0 || j < smallest ? j : smallest;
  }
  return smallest;
}

/// The smallest volume ratio J that a step may produce, which bounds log J and 1/J.
inline constexpr double kSmallestJ = 1e-2;

/// Whether a voxel with j = J − 1 keeps at least kSmallestJ of its volume. False for NaN.
template <class T>
SULCUS_HD_INLINE bool keepsVolume(T j) {
  return j > T(kSmallestJ - 1);
}

/// The velocity is held back up to this many voxels from a voxel whose volume would vanish.
inline constexpr int kHoldRadius = 6;

/// The fraction of its velocity that a voxel loses at a squared distance in voxels from one whose volume
/// would vanish. That voxel and its 26 neighbors lose all of it, so that its J does not change; further away
/// the fraction decreases smoothly and is 0 from kHoldRadius on.
template <class T>
SULCUS_HD_INLINE T heldShare(int squaredDistance) {
  constexpr int all = 3, none = kHoldRadius * kHoldRadius;
  if (squaredDistance <= all) return 1;
  if (squaredDistance >= none) return 0;
  const T t = T(none - squaredDistance) / T(none - all);
  return t * t * (3 - 2 * t);
}

/// log(1 + j) for j > −1, with full precision also near j = 0.
SULCUS_HD_INLINE double logOnePlus(double j) { return ::log1p(j); }
SULCUS_HD_INLINE float logOnePlus(float j) {
  // Let 1 + j = 2ᵏ (1 + f) with 1 + f in [√½, √2), where f includes the rounding error of 1 + j. The
  // logarithm is k log 2 + log(1 + f), and log(1 + f) = f − f²/2 + s (f²/2 + 2 s² (1/3 + s²/5 + …)) with s =
  // f / (2 + f). There are no branches, so that a loop over x vectorizes.
  const float sum = 1 + j, lost = j - (sum - 1);
  const std::uint32_t bits = bitsOf(sum);
  const std::int32_t k = std::int32_t(bits - 0x3f3504f3u) >> 23;
  const std::uint32_t exponent = std::uint32_t(k) << 23;
  const float f = fusedMultiplyAdd(lost, floatOf(0x3f800000u - exponent), floatOf(bits - exponent) - 1);
  const float s = quotient(f, 2 + f), z = s * s, half = 0.5f * f * f;
  const float series =
      fusedMultiplyAdd(z, fusedMultiplyAdd(z, fusedMultiplyAdd(z, 2 / 9.f, 2 / 7.f), 2 / 5.f), 2 / 3.f);
  return fusedMultiplyAdd(float(k), 0.69314718f,
                          f - fusedMultiplyAdd(-s, fusedMultiplyAdd(z, series, half), half));
}

/// The integrand (J − 1) log J of the bias term, for j = J − 1.
template <class T>
SULCUS_HD_INLINE T biasDensity(T j) {
  return j * logOnePlus(j);
}

/// The derivative of biasDensity() with respect to J: L' = 1 + log J − 1/J.
template <class T>
SULCUS_HD_INLINE T biasSlope(T j) {
  return logOnePlus(j) + quotient(j, 1 + j);
}

/// The stress of the bias term, cofᵢⱼ L' with the cofactors of I − g. Its divergence dᵢ = Σⱼ ∂ⱼ cofᵢⱼ L' is
/// the gradient of the bias term with respect to uᵢ.
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

/// The cost of the displacement at a voxel: (J − 1) log J and the membrane energy, μ/2 times the squares of
/// all nine derivatives of u. The first preserves volumes, the second shapes.
///
/// @param j, g  J − 1 and the gradient of u there
template <class T>
SULCUS_HD_INLINE T regularizerDensity(T j, Mat3<T> g, T membrane) {
  const auto squares = [](T a, T b, T c) { return fusedMultiplyAdd(a, a, fusedMultiplyAdd(b, b, c * c)); };
  const T sum = (squares(g.xx, g.xy, g.xz) + squares(g.yx, g.yy, g.yz)) + squares(g.zx, g.zy, g.zz);
  return fusedMultiplyAdd(T(0.5) * membrane, sum, biasDensity(j));
}

/// The stress of regularizerDensity(): its divergence dᵢ = Σⱼ ∂ⱼ (cofᵢⱼ L' − μ ∂ⱼuᵢ) is the gradient with
/// respect to uᵢ.
template <class T>
SULCUS_HD_INLINE Mat3<T> regularizerStress(Mat3<T> g, T membrane) {
  const Mat3<T> s = biasStress(g);
  const auto with = [membrane](T stress, T slope) { return fusedMultiplyAdd(-membrane, slope, stress); };
  return {with(s.xx, g.xx), with(s.xy, g.xy), with(s.xz, g.xz), with(s.yx, g.yx), with(s.yy, g.yy),
          with(s.yz, g.yz), with(s.zx, g.zx), with(s.zy, g.zy), with(s.zz, g.zz)};
}

/// One component of f − λ d, where d is the divergence of regularizerStress().
///
/// @param differences  of the stress along j = x, y, z: the neighbor above minus the neighbor below
/// @param half         1/(2 spacing), 1/mm
template <class T>
SULCUS_HD_INLINE T withBiasForce(T f, T lambda, Vec3<T> differences, Vec3<T> half) {
  const T divergence = fusedMultiplyAdd(half.x, differences.x,
                                        fusedMultiplyAdd(half.y, differences.y, half.z * differences.z));
  return fusedMultiplyAdd(-lambda, divergence, f);
}

/// The force pulled back by h, Dhᵀ f = f − (∂u)ᵀ f: if f is minus the derivative of the energy with respect
/// to u, this is minus its derivative with respect to the velocity v of the composition h∘(x − dt v).
template <class T>
SULCUS_HD_INLINE Vec3<T> pulledBack(Mat3<T> g, Vec3<T> f) {
  const auto less = [f](T sum, T gx, T gy, T gz) {
    return fusedMultiplyAdd(-gx, f.x, fusedMultiplyAdd(-gy, f.y, fusedMultiplyAdd(-gz, f.z, sum)));
  };
  return {less(f.x, g.xx, g.yx, g.zx), less(f.y, g.xy, g.yy, g.zy), less(f.z, g.xz, g.yz, g.zz)};
}

// A field is smoothed by a Gaussian along x, then y, then z. Each sum starts as sum = w[0] a(0) and continues
// as sum = fusedMultiplyAdd(w[k], a(−k) + a(k), sum) for k = 1…r. Odd reflection makes a(−k) = −a(k) about a
// border voxel, which therefore stays exactly 0.

/// The velocity from the previous one and the smoothed force.
template <class T>
SULCUS_HD_INLINE T withMomentum(T smoothed, T last, T momentum) {
  return fusedMultiplyAdd(momentum, last, smoothed);
}

/// Adds the square of one component of a vector in voxels. Called for x, y and z in this order, from a sum of
/// 0, it gives the squared length of the vector.
///
/// @param v               the component, mm
/// @param inverseSpacing  1/spacing along it, 1/mm
template <class T>
SULCUS_HD_INLINE T plusSquaredComponent(T sum, T v, T inverseSpacing) {
  const T voxels = inverseSpacing * v;
  return fusedMultiplyAdd(voxels, voxels, sum);
}

/// A vector field around a voxel: the components there, mm, and the strides of y and z.
template <class T>
struct FieldAround {
  const T *x, *y, *z;
  std::int64_t row, plane;
};

/// The composition u_new(x) = u(x − dt v) + dt v by trilinear interpolation, where no component of dt v
/// exceeds a voxel. Sums the 27 neighbors with tent weights, of which at most 8 are nonzero; leaving out
/// the others changes no bit.
///
/// @param u               the field at x
/// @param move            dt v, mm
/// @param inverseSpacing  1/spacing, 1/mm
template <class T>
SULCUS_HD_INLINE Vec3<T> composed(FieldAround<T> u, Vec3<T> move, Vec3<T> inverseSpacing) {
  const T dx = move.x * inverseSpacing.x, dy = move.y * inverseSpacing.y, dz = move.z * inverseSpacing.z;
  const auto positive = [](T d) { return d > 0 ? d : T(0); };
  const T wx[3] = {positive(dx), 1 - positive(dx) - positive(-dx), positive(-dx)};
  const T wy[3] = {positive(dy), 1 - positive(dy) - positive(-dy), positive(-dy)};
  const T wz[3] = {positive(dz), 1 - positive(dz) - positive(-dz), positive(-dz)};
  Vec3<T> sum = move;
  SULCUS_UNROLL
  for (int tap = 0; tap < 9; ++tap) {
    const int j = tap % 3, k = tap / 3;
    const std::int64_t at = (j - 1) * u.row + (k - 1) * u.plane;
    const T w = wy[j] * wz[k];
    const auto along = [&](const T* p) {
      return fusedMultiplyAdd(wx[0], p[at - 1], fusedMultiplyAdd(wx[1], p[at], wx[2] * p[at + 1]));
    };
    sum.x = fusedMultiplyAdd(w, along(u.x), sum.x);
    sum.y = fusedMultiplyAdd(w, along(u.y), sum.y);
    sum.z = fusedMultiplyAdd(w, along(u.z), sum.z);
  }
  return sum;
}

/// A voxel of the template with its gradient by central differences: the value, then ∂x, ∂y and ∂z in 1/mm.
template <class T>
struct alignas(4 * sizeof(T)) Texel {
  T v[4];
};

/// The texel of a voxel. At the border of the image the voxel itself replaces the missing neighbor.
///
/// @param image  one value per voxel, x fastest
/// @param half   1/(2 spacing), 1/mm
template <class T>
SULCUS_HD_INLINE Texel<T> texelAt(const T* image, Vec3<int> size, int x, int y, int z, Vec3<T> half) {
  const std::int64_t row = size.x, plane = row * size.y;
  const T* const p = image + x + row * y + plane * z;
  const auto difference = [p](int i, int n, std::int64_t stride) {
    const std::int64_t above = i + 1 < n ? stride : 0;
    const std::int64_t below = i > 0 ? -stride : 0;
    return p[above] - p[below];
  };
  return {{*p, half.x * difference(x, size.x, 1), half.y * difference(y, size.y, row),
           half.z * difference(z, size.z, plane)}};
}

/// Reads a texel in one access; the GPU's compiler would use four.
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

/// The template and its central gradient, both interpolated trilinearly at a position in voxels.
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE Texel<T> sampledWithCentralGradient(const Texel<T>* image, Vec3<int> size, T x, T y, T z) {
  const CellCorners<T, Index> c = cornersOf(cellAt<Index>(size, x, y, z));
  Texel<T> result = loaded(image + c.at[0]);
  for (int i = 0; i < 4; ++i) result.v[i] = c.w[0] * result.v[i];
  SULCUS_UNROLL
  for (int corner = 1; corner < 8; ++corner) {
    const Texel<T> t = loaded(image + c.at[corner]);
    for (int i = 0; i < 4; ++i) result.v[i] = fusedMultiplyAdd(c.w[corner], t.v[i], result.v[i]);
  }
  return result;
}

/// Only the template, with the same bits as sampledWithCentralGradient().
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE T sampledValue(const T* image, Vec3<int> size, T x, T y, T z) {
  const CellCorners<T, Index> c = cornersOf(cellAt<Index>(size, x, y, z));
  T result = c.w[0] * image[c.at[0]];
  SULCUS_UNROLL
  for (int corner = 1; corner < 8; ++corner)
    result = fusedMultiplyAdd(c.w[corner], image[c.at[corner]], result);
  return result;
}

/// The template and the derivative of its trilinear interpolant at a position in voxels. On a face between
/// two cells the derivative is that of the cell above.
template <class T>
SULCUS_HD_INLINE Texel<T> sampledWithExactGradient(const Texel<T>* image, Vec3<int> size, T x, T y, T z,
                                                   Vec3<T> inverseSpacing) {
  const Cell<T> c = cellAt(size, x, y, z);
  const Texel<T>* const p = image + c.corner;
  const auto corner = [&](int i, int j, int k) { return p[i * c.dx + j * c.dy + k * c.dz].v[0]; };
  const auto between = [](T f, T a, T b) { return interpolatedBetween(f, a, b); };
  const ValueAndSlope<T> at = interpolatedWithSlope(c, corner, between);
  return {{at.value, inverseSpacing.x * at.dx, inverseSpacing.y * at.dy, inverseSpacing.z * at.dz}};
}

/// The position x − u in the template, in voxels, for a voxel x of the reference.
///
/// @param u  the displacement there, mm
template <class T>
SULCUS_HD_INLINE Vec3<T> displacedPlace(Vec3<int> voxel, Vec3<T> u, Vec3<T> inverseSpacing) {
  return {fusedMultiplyAdd(-inverseSpacing.x, u.x, T(voxel.x)),
          fusedMultiplyAdd(-inverseSpacing.y, u.y, T(voxel.y)),
          fusedMultiplyAdd(-inverseSpacing.z, u.z, T(voxel.z))};
}

/// The template and its gradient at x − u.
///
/// @param exact  ∇T is the derivative of the interpolant; else it is the interpolated central gradient
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE Texel<T> displacedTexel(const Texel<T>* image, Vec3<int> size, Vec3<int> voxel, Vec3<T> u,
                                         Vec3<T> inverseSpacing, bool exact) {
  const auto [x, y, z] = displacedPlace(voxel, u, inverseSpacing);
  return exact ? sampledWithExactGradient(image, size, x, y, z, inverseSpacing)
               : sampledWithCentralGradient<Index>(image, size, x, y, z);
}

/// The template at x − u, with the same bits as displacedTexel().
///
/// @param image  one value per voxel, x fastest
template <class Index = std::int64_t, class T>
SULCUS_HD_INLINE T displacedValue(const T* image, Vec3<int> size, Vec3<int> voxel, Vec3<T> u,
                                  Vec3<T> inverseSpacing, bool exact) {
  const auto [x, y, z] = displacedPlace(voxel, u, inverseSpacing);
  return exact ? interpolated(image, cellAt(size, x, y, z)) : sampledValue<Index>(image, size, x, y, z);
}

/// T(x − u) − R; 0 where R is NaN, that is, where the images are not compared. It is also the derivative of ½
/// (T(x − u) − R)² with respect to T(x − u), so that its product with ∇T(x − u) is the force of the images.
template <class T>
SULCUS_HD_INLINE T misfit(T displaced, T reference) {
  return reference == reference ? displaced - reference : T(0);
}

/// The force of the images plus that of another channel.
///
/// @param slope      of that channel, times its share in the similarity
/// @param displaced  its template and gradient at x − u
template <class T>
SULCUS_HD_INLINE Vec3<T> withChannelForce(Vec3<T> force, T slope, const Texel<T>& displaced) {
  return {fusedMultiplyAdd(slope, displaced.v[1], force.x), fusedMultiplyAdd(slope, displaced.v[2], force.y),
          fusedMultiplyAdd(slope, displaced.v[3], force.z)};
}

/// Describes the value at an index outside of 0…n − 1: `sign` times the value at `index`.
struct OddReflection {
  int index;
  float sign;
};

/// The odd reflection of index i about 0 and n − 1; an axis of one voxel is extended by its value.
SULCUS_HD_INLINE OddReflection oddReflection(int i, int n) {
  if (i >= 0 && i < n) return {i, 1.0f};
  if (n == 1) return {0, 1.0f};
  const int period = 2 * (n - 1);
  i %= period;
  if (i < 0) i += period;
  return i < n ? OddReflection{i, 1.0f} : OddReflection{period - i, -1.0f};
}

}  // namespace sulcus::registration
