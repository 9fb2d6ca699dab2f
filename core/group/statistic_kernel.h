#pragma once

#include "core/math/simd.h"

namespace sulcus::group {

/// The statistic of `Count` exchanges in one voxel, whose values have length 1: e are their projections on
/// the columns of the contrast, o_j those on the nuisance columns. One column: t = e √(freedom / (1 − e² − Σ
/// o_j²)). Several, tested together: √F with F = freedom / effects × Σ e² / (1 − Σ e² − Σ o_j²). 0 if no
/// variation is left. Sums run over people in order, so that both processors give the same bits.
///
/// @tparam Real    float, or FloatPack for several voxels
/// @param valueOf  of a person in this voxel
/// @param weights  count × columns × people
/// @param effects  how many columns belong to the contrast: the first ones
template <class Real, int Count, class ValueOf>
SULCUS_HD_INLINE void exchangedT(const ValueOf& valueOf, int people, const float* weights, int columns,
                                 int effects, float freedom, Real (&t)[Count]) {
  Real rest[Count], explained[Count];
  for (int e = 0; e < Count; ++e) rest[e] = Real(1.f), explained[e] = Real(0.f);
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
      if (c < effects) explained[e] = fusedMultiplyAdd(sum[e], sum[e], explained[e]);
      t[e] = sum[e];
    }
  }
  for (int e = 0; e < Count; ++e) {
    const Real inverse = Real(freedom) / rest[e];
    const Real one = t[e] * squareRoot(inverse),
               any = squareRoot(explained[e] * inverse * Real(1.f / float(effects)));
    t[e] = select(rest[e] > Real(0.f), effects == 1 ? one : any, Real(0.f));
  }
}

}  // namespace sulcus::group
