#pragma once

#include "core/math/simd.h"

#include <cmath>

// Random numbers of given distributions from random words of 32 bits, for a number or a pack of numbers.
// Every product that is added to something is an explicit fused multiply-add and no function of the system's
// library is called, so that vectors of any width and the GPU round identically. Only reciprocalRoot differs
// on the GPU, by an ulp or two.

namespace sulcus {

/// A uniform number in (0, 1), never 0 and never 1, in steps of 2⁻³² near 0 and of 2⁻²⁴ near 1.
template <class Uint>
SULCUS_HD_INLINE FloatOf<Uint> uniform(Uint word) {
  using Real = FloatOf<Uint>;
  constexpr float step = (1 - 0x1p-24f) * 0x1p-32f;  // keeps the largest from rounding to 1
  return fusedMultiplyAdd(toFloat(word), Real(step), Real(0x1p-33f));
}

/// ln x for normal x > 0, within 2 ulp of the result, also next to 1.
template <class Real>
SULCUS_HD_INLINE Real logarithm(Real x) {
  using Uint = UintOf<Real>;
  const Uint bits = bitsOf(x);
  const Uint exponent = (bits - Uint(0x3f3504f3u)) & Uint(0xff800000u);  // exponent field of x / √½
  const Real f = floatOf(bits - exponent) - Real(1);                     // in [√½ − 1, √2 − 1)
  const Real e = signedToFloat(exponent) * Real(0x1p-23f);
  // (ln(1 + f) − f) / f², Chebyshev fit.
  Real p(0.08787265491f);
  p = fusedMultiplyAdd(p, f, Real(-0.1415964701f));
  p = fusedMultiplyAdd(p, f, Real(0.1483478684f));
  p = fusedMultiplyAdd(p, f, Real(-0.1658848853f));
  p = fusedMultiplyAdd(p, f, Real(0.1997204971f));
  p = fusedMultiplyAdd(p, f, Real(-0.2500114768f));
  p = fusedMultiplyAdd(p, f, Real(0.3333367061f));
  p = fusedMultiplyAdd(p, f, Real(-0.4999999713f));
  return fusedMultiplyAdd(e, Real(0.693147181f), fusedMultiplyAdd(p, f * f, f));
}
SULCUS_HD inline double logarithm(double x) { return ::log(x); }

/// 1/√x for normal x > 0, within 2 ulp.
template <class Real>
SULCUS_HD_INLINE Real reciprocalRoot(Real x) {
#ifdef __CUDA_ARCH__
  return ::rsqrtf(x);
#else
  using Uint = UintOf<Real>;
  Real y = floatOf(Uint(0x5f375a86u) - (bitsOf(x) >> 1));  // within 3.5 %
  const Real half = x * Real(-0.5f);
  for (int step = 0; step < 3; ++step) y = fusedMultiplyAdd(y, fusedMultiplyAdd(half, y * y, Real(0.5f)), y);
  return y;
#endif
}

SULCUS_HD_INLINE double reciprocalRoot(double x) {
#ifdef __CUDA_ARCH__
  return ::rsqrt(x);
#else
  return 1 / ::sqrt(x);
#endif
}

/// Sine and cosine of the angle 2π word / 2³², with an absolute error below 1.2e-7.
template <class Uint, class Real>
SULCUS_HD_INLINE void sinCosOfTurn(Uint word, Real& sine, Real& cosine) {
  // The nearest quarter turn, exactly, and the remaining angle a, |a| ≤ π/4.
  const Uint quarter = (word + Uint(0x20000000u)) & Uint(0xc0000000u);
  const Real a = signedToFloat(word - quarter) * Real(1.4629180792671596e-9f);  // 2π / 2³²
  const Real a2 = a * a;
  Real s(-0.0001958789088f), c(2.454794209e-5f);
  s = fusedMultiplyAdd(s, a2, Real(0.008332748271f));
  s = fusedMultiplyAdd(s, a2, Real(-0.1666666466f));
  s = fusedMultiplyAdd(s, a2 * a, a);
  c = fusedMultiplyAdd(c, a2, Real(-0.001388830304f));
  c = fusedMultiplyAdd(c, a2, Real(0.04166666466f));
  c = fusedMultiplyAdd(c, a2, Real(-0.5f));
  c = fusedMultiplyAdd(c, a2, Real(1));
  // An odd number of quarter turns swaps the two. The sine is negative in the second half of the turn, the
  // cosine in the two middle quarters.
  const auto odd = signedToFloat(quarter << 1) < Real(0);
  const Uint sign(0x80000000u);
  sine = floatOf(bitsOf(select(odd, c, s)) ^ (quarter & sign));
  cosine = floatOf(bitsOf(select(odd, s, c)) ^ ((quarter ^ (quarter << 1)) & sign));
}

/// Two independent standard normal numbers from two words (Box and Muller 1958), at most 6.8 in magnitude.
template <class Uint, class Real>
SULCUS_HD_INLINE void normalPair(Uint radiusWord, Uint angleWord, Real& first, Real& second) {
  const Real square = Real(-2) * logarithm(uniform(radiusWord));
  const Real radius = square * reciprocalRoot(square);
  Real sine, cosine;
  sinCosOfTurn(angleWord, sine, cosine);
  first = radius * cosine;
  second = radius * sine;
}

/// The constants of the χ² distribution with `freedom` ≥ 2 degrees of freedom for the rejection method of
/// Marsaglia and Tsang, ACM Trans Math Softw 26 (2000) 363: a normal and a uniform number give a candidate,
/// until one is accepted.
template <class Real>
struct ChiSquare {
  Real d = 0, c = 0;  ///< parameters of Gamma(freedom/2) = d (1 + c x)³

  ChiSquare() = default;
  SULCUS_HD explicit ChiSquare(Real freedom) : d(freedom / 2 - Real(1) / 3), c(1 / squareRoot(9 * d)) {}
};

/// A candidate for a χ² number.
///
/// @param normal   a standard normal number, x
/// @param uniform  a uniform number in (0, 1), u
/// @param value    receives the candidate
/// @return         the lanes in which it is accepted
template <class Scalar, class Real>
SULCUS_HD_INLINE MaskOf<Real> chiSquareCandidate(const ChiSquare<Scalar>& law, Real normal, Real uniform,
                                                 Real& value) {
  const Real t = Real(law.c) * normal, base = t + Real(1);
  const Real safe = larger(base, Real(Scalar(1e-6)));  // a smaller base is rejected anyway
  const Real square = base * base;
  value = Real(2 * law.d) * (square * base);
  // Accepts where ln u < x²/2 + d (1 − v + ln v), v = (1 + t)³, with 1 − v computed without cancellation.
  const Real oneLessV = -t * fusedMultiplyAdd(t, t + Real(3), Real(3));
  const Real room = fusedMultiplyAdd(Real(3), logarithm(safe), oneLessV);
  const Real bound = fusedMultiplyAdd(Real(law.d), room, Real(Scalar(0.5)) * normal * normal);
  return (base > Real(0)) & (logarithm(uniform) < bound);
}

}  // namespace sulcus
