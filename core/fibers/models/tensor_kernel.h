#pragma once

#include "core/image/diffusion/tensor_index.h"
#include "core/math/simd.h"
#include "core/math/sym_mat3.h"

#include <utility>

// The form f(g) = A gᵐ and its contractions in three dimensions, with the index classes known at compile
// time: no indices, loops or multiplicities are computed at run time. Entries are in the order of
// tensor_index.h, without multiplicities.

namespace sulcus::fibers {

namespace detail {

template <int Order, int U>
inline constexpr IndexClass kIndexClass = indexClasses<Order>()[U];

/// multiplicity · g_x^i g_y^j g_z^k for an index class, given the powers 0…Degree of the coordinates.
template <int Degree, int V, class Real>
SULCUS_HD Real weightedMonomial(const Vec3<Real>* power) {
  constexpr IndexClass c = kIndexClass<Degree, V>;
  return (Real(float(c.multiplicity)) * power[c.i].x) * (power[c.j].y * power[c.k].z);
}

/// The powers 0…Degree of the coordinates of g.
template <int Degree, class Real>
SULCUS_HD void powers(const Vec3<Real>& g, Vec3<Real>* power) {
  power[0] = {Real(1.0f), Real(1.0f), Real(1.0f)};
  if constexpr (Degree > 0) power[1] = g;
  if constexpr (Degree > 1) {
    powers<Degree - 1>(g, power);
    const Vec3<Real>&p = power[Degree / 2], &q = power[Degree - Degree / 2];
    power[Degree] = {p.x * q.x, p.y * q.y, p.z * q.z};
  }
}

/// M += w_v · (the six entries of A whose index is that of class v of degree Order − 2 plus two more).
template <int Order, int V, class Real, class Entries>
SULCUS_HD void addClass(const Entries& a, const Vec3<Real>* power, SymMat3<Real>& m) {
  constexpr int j = kIndexClass<Order - 2, V>.j, k = kIndexClass<Order - 2, V>.k;
  const Real w = weightedMonomial<Order - 2, V>(power);
  if constexpr (V == 0) {
    m = {w * a[tensorIndex(j, k)],     w * a[tensorIndex(j + 1, k)],     w * a[tensorIndex(j, k + 1)],
         w * a[tensorIndex(j + 2, k)], w * a[tensorIndex(j + 1, k + 1)], w * a[tensorIndex(j, k + 2)]};
  } else {
    m.xx = m.xx + w * a[tensorIndex(j, k)];
    m.xy = m.xy + w * a[tensorIndex(j + 1, k)];
    m.xz = m.xz + w * a[tensorIndex(j, k + 1)];
    m.yy = m.yy + w * a[tensorIndex(j + 2, k)];
    m.yz = m.yz + w * a[tensorIndex(j + 1, k + 1)];
    m.zz = m.zz + w * a[tensorIndex(j, k + 2)];
  }
}

}  // namespace detail

/// A g^(m−2): the Hessian of the form divided by m(m−1). Its product with g is A g^(m−1), the gradient
/// divided by m.
///
/// @param a  tensorEntries(Order) numbers: an array or pointer
/// @param g  of any length; a pack of directions gives a pack of matrices
template <int Order, class Real, class Entries>
SULCUS_HD SymMat3<Real> tensorMatrix(const Entries& a, const Vec3<Real>& g) {
  Vec3<Real> power[Order - 1];
  detail::powers<Order - 2>(g, power);
  SymMat3<Real> m;
  [&]<int... v>(std::integer_sequence<int, v...>) { (detail::addClass<Order, v>(a, power, m), ...); }
  (std::make_integer_sequence<int, tensorEntries(Order - 2)>());
  return m;
}

/// The Frobenius norm √(Σ of all 3ᵐ squared entries). No |A x^(m−2) y z| of unit vectors is larger.
template <int Order, class Scalar>
SULCUS_HD Scalar tensorNorm(const Scalar* a) {
  const Scalar sum = [&]<int... u>(std::integer_sequence<int, u...>) {
    return ((Scalar(detail::kIndexClass<Order, u>.multiplicity) * a[u] * a[u]) + ...);
  }
  (std::make_integer_sequence<int, tensorEntries(Order)>());
  return squareRoot(sum);
}

}  // namespace sulcus::fibers
