#pragma once

#include "core/base/host_device.h"

#include <cmath>
#include <utility>

#if !defined(__CUDACC__) && defined(__AVX__)
#include <immintrin.h>
#endif

// One spelling for code that runs on a number (a GPU lane) and on a pack of numbers (a CPU vector):
// conditions become masks, branches become select(mask, a, b).

namespace sulcus {

/// What a comparison of two Reals gives: bool, or a mask with one truth per lane.
template <class Real>
using MaskOf = decltype(std::declval<Real>() < std::declval<Real>());

SULCUS_HD inline float select(bool m, float a, float b) { return m ? a : b; }
SULCUS_HD inline double select(bool m, double a, double b) { return m ? a : b; }
SULCUS_HD inline float larger(float a, float b) { return a > b ? a : b; }
SULCUS_HD inline double larger(double a, double b) { return a > b ? a : b; }
SULCUS_HD inline float magnitude(float a) { return ::fabsf(a); }
SULCUS_HD inline double magnitude(double a) { return ::fabs(a); }
SULCUS_HD inline float squareRoot(float a) { return ::sqrtf(a); }
SULCUS_HD inline double squareRoot(double a) { return ::sqrt(a); }

#ifndef __CUDACC__

namespace detail {
template <int N>
struct VectorsOf;
template <>
struct VectorsOf<8> {
  using Float = float __attribute__((vector_size(32)));
  using Int = int __attribute__((vector_size(32)));
};
template <>
struct VectorsOf<16> {
  using Float = float __attribute__((vector_size(64)));
  using Int = int __attribute__((vector_size(64)));
};
}  // namespace detail

/// N truths, all bits set where true.
template <int N>
struct MaskPack {
  using Vector = typename detail::VectorsOf<N>::Int;
  Vector v;

  bool operator[](int lane) const { return v[lane] != 0; }
  friend MaskPack operator&(MaskPack a, MaskPack b) { return {a.v & b.v}; }
  friend MaskPack operator|(MaskPack a, MaskPack b) { return {a.v | b.v}; }
  friend MaskPack operator!(MaskPack a) { return {~a.v}; }
  friend MaskPack operator&(MaskPack a, bool b) { return {b ? a.v : Vector{}}; }
};

/// Bit i is lane i.
template <int N>
unsigned laneBits(MaskPack<N> m) {
#if defined(__AVX512DQ__)
  if constexpr (N == 16) return _mm512_movepi32_mask((__m512i)m.v);
#endif
#if defined(__AVX__)
  if constexpr (N == 8) return unsigned(_mm256_movemask_ps((__m256)m.v));
#endif
  unsigned bits = 0;
  for (int i = 0; i < N; ++i) bits |= m[i] ? 1u << i : 0u;
  return bits;
}

/// N floats worked on at once.
template <int N>
struct FloatPack {
  using Vector = typename detail::VectorsOf<N>::Float;
  Vector v;

  FloatPack() = default;
  FloatPack(Vector values) : v(values) {}
  FloatPack(float all) : v(all - Vector{}) {}

  friend FloatPack operator+(FloatPack a, FloatPack b) { return a.v + b.v; }
  friend FloatPack operator-(FloatPack a, FloatPack b) { return a.v - b.v; }
  friend FloatPack operator-(FloatPack a) { return -a.v; }
  friend FloatPack operator*(FloatPack a, FloatPack b) { return a.v * b.v; }
  friend FloatPack operator/(FloatPack a, FloatPack b) { return a.v / b.v; }
  friend MaskPack<N> operator<(FloatPack a, FloatPack b) { return {a.v < b.v}; }
  friend MaskPack<N> operator>(FloatPack a, FloatPack b) { return {a.v > b.v}; }
  friend MaskPack<N> operator<=(FloatPack a, FloatPack b) { return {a.v <= b.v}; }
  friend MaskPack<N> operator>=(FloatPack a, FloatPack b) { return {a.v >= b.v}; }
};

template <int N>
FloatPack<N> select(MaskPack<N> m, FloatPack<N> a, FloatPack<N> b) {
  return m.v ? a.v : b.v;
}
template <int N>
FloatPack<N> larger(FloatPack<N> a, FloatPack<N> b) {
  return a.v > b.v ? a.v : b.v;
}
template <int N>
FloatPack<N> magnitude(FloatPack<N> a) {
  return larger(a, -a);
}
template <int N>
FloatPack<N> squareRoot(FloatPack<N> a) {
#if defined(__AVX512F__)
  if constexpr (N == 16) return typename FloatPack<N>::Vector(_mm512_maskz_sqrt_ps(0xffff, (__m512)a.v));
#endif
#if defined(__AVX__)
  if constexpr (N == 8) return typename FloatPack<N>::Vector(_mm256_sqrt_ps((__m256)a.v));
#endif
  for (int i = 0; i < N; ++i) a.v[i] = __builtin_sqrtf(a.v[i]);
  return a;
}

#endif

}  // namespace sulcus
