#pragma once

#include "core/activation/model/correlated_kernel.h"

// The likelihood of hyper-parameters in a voxel with its coefficients integrated out: γ̂ ~ N(Δ'z, V_γ + σ²
// H⁻¹). In the axes U of V_γ, with d = U'γ̂ − m and the M and S of correlated_kernel.h,
//   log density = −½ log |M| − ½ (S⁻¹d)' M⁻¹ (S G d / σ²) + terms that depend on σ² and H alone.

namespace sulcus::activation {

/// The smallest |M|^−½ whose logarithm is taken.
inline constexpr float kSmallestProduct = 1e-37f;

/// The log density of a voxel's γ̂ if H is the identity, up to a term that depends only on σ².
///
/// The parameters are those of drawVoxel().
template <class T, int K, class Size>
SULCUS_HD_INLINE T logMarginal(Size k, const GibbsStep& step, const VoxelData<T>& voxel, T sigma2,
                               VoxelWork<T, K>&) {
  const T sigma = sigma2 * reciprocalRoot(sigma2);
  T product(1), square(0);
  repeat(k, [&](auto j) {
    const T root = reciprocalRoot(sigma2 + T(step.scales[j]));
    const T scaled = estimateFromMean(k, step, voxel, j) * root;
    product = product * (sigma * root);
    square = fusedMultiplyAdd(scaled, scaled, square);
  });
  return fusedMultiplyAdd(square, T(-0.5f), logarithm(larger(product, T(kSmallestProduct))));
}

/// logMarginal() of a voxel with its own H, after setGram(); everything else in `work` is overwritten.
template <class T, class Size, class Work>
SULCUS_HD_INLINE T logMarginal(Size k, const GibbsStep& step, const VoxelData<T>& voxel, T sigma2,
                               Work& work) {
  solveHalfway(k, step, voxel, sigma2, work);
  T product(1), square(0);
  repeat(k, [&](auto j) {
    product = product * work.root[inTriangle(j, j)];
    square = fusedMultiplyAdd(work.deviation[j], work.shrink[j], square);
  });
  return fusedMultiplyAdd(square, T(-0.5f), logarithm(larger(product, T(kSmallestProduct))));
}

/// The increase of a voxel's log density from the hyper-parameters that it was drawn with to the proposed
/// ones.
///
/// @param sigma2  σ² as drawn
/// @param work    with the G of `step`, from drawVoxel(); overwritten
template <class T, class Size, class Work>
SULCUS_HD_INLINE T marginalChange(Size k, const GibbsStep& step, const GibbsStep& proposed,
                                  const VoxelData<T>& voxel, T sigma2, Work& work) {
  const T now = logMarginal(k, step, voxel, sigma2, work);
  setGram(k, proposed, voxel, work);
  return logMarginal(k, proposed, voxel, sigma2, work) - now;
}

}  // namespace sulcus::activation
