#pragma once

#include "core/base/host_device.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#if !defined(__CUDACC__) && defined(__AVX__)
#include <immintrin.h>
#endif

// One source runs on a number (a GPU lane) and on a pack of numbers (a vector register of the CPU):
// conditions become masks, and branches become select(mask, a, b). Where every backend must compute the same
// bits, products that are added to something are written as fusedMultiplyAdd.

/// Marks a short function of an inner loop that must always be inlined.
#ifdef __CUDACC__
#define SULCUS_HD_INLINE __host__ __device__ __forceinline__
#else
#define SULCUS_HD_INLINE inline __attribute__((always_inline))
#endif

namespace sulcus {

/// The type of a comparison of two Reals: bool, or a mask with one truth value per lane.
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
SULCUS_HD inline float fusedMultiplyAdd(float a, float b, float c) { return ::fmaf(a, b, c); }
SULCUS_HD inline double fusedMultiplyAdd(double a, double b, double c) { return ::fma(a, b, c); }
SULCUS_HD inline bool any(bool m) { return m; }

SULCUS_HD inline std::uint32_t select(bool m, std::uint32_t a, std::uint32_t b) { return m ? a : b; }
/// The float nearest to a word, read as an unsigned or as a signed number.
SULCUS_HD inline float toFloat(std::uint32_t a) { return float(a); }
SULCUS_HD inline float signedToFloat(std::uint32_t a) { return float(std::int32_t(a)); }
SULCUS_HD inline std::uint32_t bitsOf(float a) {
  std::uint32_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}
SULCUS_HD inline float floatOf(std::uint32_t bits) {
  float a;
  memcpy(&a, &bits, sizeof a);
  return a;
}

/// The type of the 32-bit words that have as many lanes as a Real (std::uint32_t for float), and the inverse.
template <class Real>
using UintOf = decltype(bitsOf(std::declval<Real>()));
template <class Uint>
using FloatOf = decltype(floatOf(std::declval<Uint>()));

/// Reads or writes as many consecutive numbers as T has lanes; the memory need not be aligned.
template <class T, class Scalar>
SULCUS_HD T load(const Scalar* from) {
  T t;
  memcpy(&t, from, sizeof t);
  return t;
}
template <class T, class Scalar>
SULCUS_HD void store(Scalar* to, T t) {
  memcpy(to, &t, sizeof t);
}

#ifndef __CUDACC__

namespace detail {
template <int N>
struct VectorsOf;
template <>
struct VectorsOf<8> {
  using Float = float __attribute__((vector_size(32)));
  using Int = int __attribute__((vector_size(32)));
  using Uint = std::uint32_t __attribute__((vector_size(32)));
  using Uint64 = std::uint64_t __attribute__((vector_size(32)));
};
template <>
struct VectorsOf<16> {
  using Float = float __attribute__((vector_size(64)));
  using Int = int __attribute__((vector_size(64)));
  using Uint = std::uint32_t __attribute__((vector_size(64)));
  using Uint64 = std::uint64_t __attribute__((vector_size(64)));
};
}  // namespace detail

/// N truth values; all bits of a lane are set where it is true.
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

/// The mask as bits; bit i is lane i.
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

/// N floats that are processed at once.
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
template <int N>
FloatPack<N> fusedMultiplyAdd(FloatPack<N> a, FloatPack<N> b, FloatPack<N> c) {
#if defined(__AVX512F__)
  if constexpr (N == 16)
    return typename FloatPack<N>::Vector(_mm512_fmadd_ps((__m512)a.v, (__m512)b.v, (__m512)c.v));
#endif
#if defined(__FMA__)
  if constexpr (N == 8)
    return typename FloatPack<N>::Vector(_mm256_fmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v));
#endif
  for (int i = 0; i < N; ++i) a.v[i] = __builtin_fmaf(a.v[i], b.v[i], c.v[i]);
  return a;
}
template <int N>
bool any(MaskPack<N> m) {
  return laneBits(m) != 0;
}

/// N words of 32 bits that are processed at once; arithmetic is modulo 2³².
template <int N>
struct UintPack {
  using Vector = typename detail::VectorsOf<N>::Uint;
  Vector v;

  UintPack() = default;
  UintPack(Vector values) : v(values) {}
  UintPack(std::uint32_t all) : v(all - Vector{}) {}

  friend UintPack operator+(UintPack a, UintPack b) { return a.v + b.v; }
  friend UintPack operator-(UintPack a, UintPack b) { return a.v - b.v; }
  friend UintPack operator*(UintPack a, UintPack b) { return a.v * b.v; }
  friend UintPack operator&(UintPack a, UintPack b) { return a.v & b.v; }
  friend UintPack operator|(UintPack a, UintPack b) { return a.v | b.v; }
  friend UintPack operator^(UintPack a, UintPack b) { return a.v ^ b.v; }
  friend UintPack operator<<(UintPack a, int bits) { return a.v << bits; }
  friend UintPack operator>>(UintPack a, int bits) { return a.v >> bits; }
};

template <int N>
UintPack<N> select(MaskPack<N> m, UintPack<N> a, UintPack<N> b) {
  return m.v ? a.v : b.v;
}
template <int N>
FloatPack<N> signedToFloat(UintPack<N> a) {
  return __builtin_convertvector((typename detail::VectorsOf<N>::Int)a.v, typename FloatPack<N>::Vector);
}
template <int N>
FloatPack<N> toFloat(UintPack<N> a) {
#if defined(__AVX512F__)
  if constexpr (N == 16) return typename FloatPack<N>::Vector(_mm512_maskz_cvtepu32_ps(0xffff, (__m512i)a.v));
#endif
  // The two halves of a word are exact floats, so that only their sum is rounded.
  return fusedMultiplyAdd<N>(signedToFloat(a >> 16), 65536.0f, signedToFloat(a & 0xffffu));
}
template <int N>
UintPack<N> bitsOf(FloatPack<N> a) {
  return (typename UintPack<N>::Vector)a.v;
}
template <int N>
FloatPack<N> floatOf(UintPack<N> a) {
  return (typename FloatPack<N>::Vector)a.v;
}

#endif

}  // namespace sulcus
