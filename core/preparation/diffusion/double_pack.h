#pragma once

#include "core/math/simd.h"

namespace sulcus::preparation {

/// Four doubles that are processed at once (core/math/simd.h has such packs of floats).
struct DoublePack {
  static constexpr int kLanes = 4;
  using Vector = double __attribute__((vector_size(8 * kLanes)));
  using Mask = long long __attribute__((vector_size(8 * kLanes)));
  Vector v;

  DoublePack() = default;
  DoublePack(Vector values) : v(values) {}
  DoublePack(double all) : v(all - Vector{}) {}

  friend DoublePack operator+(DoublePack a, DoublePack b) { return a.v + b.v; }
  friend DoublePack operator-(DoublePack a, DoublePack b) { return a.v - b.v; }
  friend DoublePack operator*(DoublePack a, DoublePack b) { return a.v * b.v; }
  friend DoublePack operator/(DoublePack a, DoublePack b) { return a.v / b.v; }
  friend Mask operator>(DoublePack a, DoublePack b) { return a.v > b.v; }
  friend Mask operator<(DoublePack a, DoublePack b) { return a.v < b.v; }
  friend DoublePack select(Mask m, DoublePack a, DoublePack b) { return m ? a.v : b.v; }
  friend DoublePack magnitude(DoublePack a) { return a.v < 0 ? -a.v : a.v; }
  friend DoublePack squareRoot(DoublePack a) {
    for (int i = 0; i < kLanes; ++i) a.v[i] = __builtin_sqrt(a.v[i]);
    return a;
  }
  friend DoublePack fusedMultiplyAdd(DoublePack a, DoublePack b, DoublePack c) {
#if defined(__FMA__)
    return Vector(_mm256_fmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v));
#else
    for (int i = 0; i < kLanes; ++i) a.v[i] = __builtin_fma(a.v[i], b.v[i], c.v[i]);
    return a;
#endif
  }
};

}  // namespace sulcus::preparation
