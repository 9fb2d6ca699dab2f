#pragma once

#include "core/image/diffusion/tensor_index.h"
#include "core/math/simd.h"
#include "core/math/sym_mat3.h"

#include <utility>

// A function on the sphere as a homogeneous form, its value, and its maximum near a direction. Every product
// that is added is an explicit fused multiply-add, so that both processors give the same bits.

/// Unrolls the following loop, so that arrays with constant indices stay in registers.
#ifdef __CUDACC__
#define SULCUS_UNROLL _Pragma("unroll")
#else
#define SULCUS_UNROLL _Pragma("GCC unroll 16")
#endif

namespace sulcus::tracts {

SULCUS_HD_INLINE float dotOf(const Vec3<float>& a, const Vec3<float>& b) {
  return fusedMultiplyAdd(a.x, b.x, fusedMultiplyAdd(a.y, b.y, a.z * b.z));
}
/// a + s b
SULCUS_HD_INLINE Vec3<float> moved(const Vec3<float>& a, float s, const Vec3<float>& b) {
  return {fusedMultiplyAdd(s, b.x, a.x), fusedMultiplyAdd(s, b.y, a.y), fusedMultiplyAdd(s, b.z, a.z)};
}
/// Scaled to length 1; vectors shorter than about 10⁻¹⁸ become 0.
SULCUS_HD_INLINE Vec3<float> unitOf(const Vec3<float>& a) {
  const float square = dotOf(a, a);
  const float scale = square > 1e-36f ? 1 / squareRoot(square) : 0.f;
  return {scale * a.x, scale * a.y, scale * a.z};
}

/// Σ c_jk x^i y^j z^k over the classes of an order (core/image/diffusion/tensor_index.h): the value of a form
/// whose entries were multiplied by their multiplicities.
template <int Order>
SULCUS_HD_INLINE float formValue(const float* c, const Vec3<float>& g) {
  float powersOfZ[Order + 1];
  powersOfZ[0] = 1;
  SULCUS_UNROLL
  for (int k = 1; k <= Order; ++k) powersOfZ[k] = powersOfZ[k - 1] * g.z;
  float value = 0;
  SULCUS_UNROLL
  for (int s = 0; s <= Order; ++s) {
    const float* const row = c + tensorIndex(s, 0);
    float inPlane = row[0];
    SULCUS_UNROLL
    for (int k = 1; k <= s; ++k) inPlane = fusedMultiplyAdd(inPlane, g.y, row[k] * powersOfZ[k]);
    value = fusedMultiplyAdd(value, g.x, inPlane);
  }
  return value;
}

namespace detail {

template <int Order, int V>
inline constexpr IndexClass kFormClass = indexClasses<Order>()[V];

/// i (i − 1), i j and the like: the factors of the second derivatives of x^i y^j z^k.
template <int Order, int V>
SULCUS_HD_INLINE void addSecondDerivatives(const float* c, const float (&x)[Order + 1],
                                           const float (&y)[Order + 1], const float (&z)[Order + 1],
                                           SymMat3<float>& m) {
  constexpr int i = kFormClass<Order - 2, V>.i, j = kFormClass<Order - 2, V>.j,
                k = kFormClass<Order - 2, V>.k;
  const float w = x[i] * (y[j] * z[k]);
  m.xx = fusedMultiplyAdd(float((i + 2) * (i + 1)) * w, c[tensorIndex(j, k)], m.xx);
  m.xy = fusedMultiplyAdd(float((i + 1) * (j + 1)) * w, c[tensorIndex(j + 1, k)], m.xy);
  m.xz = fusedMultiplyAdd(float((i + 1) * (k + 1)) * w, c[tensorIndex(j, k + 1)], m.xz);
  m.yy = fusedMultiplyAdd(float((j + 2) * (j + 1)) * w, c[tensorIndex(j + 2, k)], m.yy);
  m.yz = fusedMultiplyAdd(float((j + 1) * (k + 1)) * w, c[tensorIndex(j + 1, k + 1)], m.yz);
  m.zz = fusedMultiplyAdd(float((k + 2) * (k + 1)) * w, c[tensorIndex(j, k + 2)], m.zz);
}

}  // namespace detail

/// The second derivatives of a form at g, over m (m − 1). Multiplied by g they give the gradient over m, and
/// by g again the value.
template <int Order>
SULCUS_HD_INLINE SymMat3<float> formMatrix(const float* c, const Vec3<float>& g) {
  float x[Order + 1], y[Order + 1], z[Order + 1];
  x[0] = y[0] = z[0] = 1;
  SULCUS_UNROLL
  for (int n = 1; n <= Order - 2; ++n) x[n] = x[n - 1] * g.x, y[n] = y[n - 1] * g.y, z[n] = z[n - 1] * g.z;
  SymMat3<float> m{};
  [&]<int... v>(std::integer_sequence<int, v...>) {
    (detail::addSecondDerivatives<Order, v>(c, x, y, z, m), ...);
  }
  (std::make_integer_sequence<int, tensorEntries(Order - 2)>());
  constexpr float scale = 1.f / float(Order * (Order - 1));
  return {scale * m.xx, scale * m.xy, scale * m.xz, scale * m.yy, scale * m.yz, scale * m.zz};
}

SULCUS_HD_INLINE Vec3<float> productOf(const SymMat3<float>& m, const Vec3<float>& v) {
  return {fusedMultiplyAdd(m.xx, v.x, fusedMultiplyAdd(m.xy, v.y, m.xz * v.z)),
          fusedMultiplyAdd(m.xy, v.x, fusedMultiplyAdd(m.yy, v.y, m.yz * v.z)),
          fusedMultiplyAdd(m.xz, v.x, fusedMultiplyAdd(m.yz, v.y, m.zz * v.z))};
}
/// a b − c d
SULCUS_HD_INLINE float differenceOfProducts(float a, float b, float c, float d) {
  return fusedMultiplyAdd(a, b, -(c * d));
}
SULCUS_HD_INLINE SymMat3<float> adjugateOf(const SymMat3<float>& a) {
  return {differenceOfProducts(a.yy, a.zz, a.yz, a.yz), differenceOfProducts(a.xz, a.yz, a.xy, a.zz),
          differenceOfProducts(a.xy, a.yz, a.xz, a.yy), differenceOfProducts(a.xx, a.zz, a.xz, a.xz),
          differenceOfProducts(a.xy, a.xz, a.xx, a.yz), differenceOfProducts(a.xx, a.yy, a.xy, a.xy)};
}

/// A direction and the amplitude of the field along it.
struct Way {
  Vec3<float> direction;
  float amplitude;
};

/// The maximum of a form that Newton's method on the sphere reaches from a direction; where the form is not
/// concave, a step of ascent is taken instead. Newton's steps are those of the peak search
/// (core/fibers/peaks/eigenpairs_kernel.h); along a line one or two suffice.
template <int Order>
SULCUS_HD_INLINE Way maximumNear(const float* c, Vec3<float> x) {
  constexpr int kMostSteps = 8;
  constexpr float kLongest = 0.25f;     // radians; longer steps could skip small maxima
  constexpr float kNearEnough = 2e-3f;  // of m d²: about the error left by a Newton step of length d
  constexpr float m = Order, m1 = Order - 1;
  float value = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const SymMat3<float> a = formMatrix<Order>(c, x);
    const Vec3<float> y = productOf(a, x);
    value = dotOf(x, y);
    const Vec3<float> r = moved(y, -value, x);  // the gradient on the sphere, over m
    const float r2 = dotOf(r, r);
    const SymMat3<float> b{fusedMultiplyAdd(m1, a.xx, -value), m1 * a.xy, m1 * a.xz,
                           fusedMultiplyAdd(m1, a.yy, -value), m1 * a.yz, fusedMultiplyAdd(m1, a.zz, -value)};
    const float sum = fusedMultiplyAdd(m1, (a.xx + a.yy) + a.zz, -(m1 + 2) * value);
    const float product = dotOf(x, productOf(adjugateOf(b), x));
    Vec3<float> d;
    float d2;
    const bool concave = sum < 0 && product > 0;
    if (concave) {
      const float inverse = 1 / product;
      const Vec3<float> br = productOf(b, r), level = moved(br, -m1 * r2, x), full = moved(level, -sum, r);
      d = {inverse * full.x, inverse * full.y, inverse * full.z};
      d2 = dotOf(d, d);
    }
    if (!concave || !(d2 < kLongest * kLongest)) {
      const Vec3<float> uphill = unitOf(r);
      d = {kLongest * uphill.x, kLongest * uphill.y, kLongest * uphill.z};
      d2 = kLongest * kLongest;
    }
    x = unitOf({x.x + d.x, x.y + d.y, x.z + d.z});
    if (concave && m * d2 < kNearEnough) return {x, fusedMultiplyAdd(0.5f * m, dotOf(r, d), value)};
  }
  return {x, 0};  // a ring or a ball, which has no direction
}

}  // namespace sulcus::tracts
