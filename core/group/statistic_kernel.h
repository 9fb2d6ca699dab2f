#pragma once

#include "core/math/simd.h"

namespace sulcus::group {

/// t of `Count` exchanges in one voxel: with the projections of its values, which have the length 1, on the
/// column of the contrast (e) and on the others (o_j), t = e √(freedom / (1 − e² − Σ o_j²)); 0 where nothing
/// is left that could vary. Sums go over people in their order, so that both processors have the same bits.
///
/// @tparam Real    float, or FloatPack: several voxels
/// @param valueOf  of a person in this voxel
/// @param weights  count × columns × people
template <class Real, int Count, class ValueOf>
SULCUS_HD_INLINE void exchangedT(const ValueOf& valueOf, int people, const float* weights, int columns,
                                 float freedom, Real (&t)[Count]) {
  Real rest[Count];
  for (int e = 0; e < Count; ++e) rest[e] = Real(1.f);
  for (int c = columns - 1; c >= 0; --c) {
    Real sum[Count];
    for (int e = 0; e < Count; ++e) sum[e] = Real(0.f);
    for (int n = 0; n < people; ++n) {
      const Real value = valueOf(n);
      for (int e = 0; e < Count; ++e)
        sum[e] = fusedMultiplyAdd(Real(weights[(e * columns + c) * people + n]), value, sum[e]);
    }
    for (int e = 0; e < Count; ++e) {
      rest[e] = fusedMultiplyAdd(-sum[e], sum[e], rest[e]);
      t[e] = sum[e];
    }
  }
  for (int e = 0; e < Count; ++e)
    t[e] = select(rest[e] > Real(0.f), t[e] * squareRoot(Real(freedom) / rest[e]), Real(0.f));
}

}  // namespace sulcus::group
