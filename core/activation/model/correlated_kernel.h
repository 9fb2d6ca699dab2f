#pragma once

#include "core/activation/sampler/gibbs_kernel.h"

// A voxel's step of the Gibbs sampler if its noise has memory ("A voxel's step" in
// resources/design/engines.md). Its series and design are whitened, so γ̂ has the likelihood N(·, σ² H⁻¹)
// with the voxel's own precision H = L⁻¹X'W'WX L⁻ᵀ, and its components are no longer independent in the axes
// of V_γ = U diag(λ) U'.
//
// With G = U'HU, d = U'γ̂ − m and S = diag(√λ) the draw has in these axes the precision S⁻¹ M S⁻¹,
// M = I + S G S / σ². All eigenvalues of M are at least 1, so that its Cholesky factor R is well conditioned
// whatever the units. The conditional mean lies S M⁻¹ S G d / σ² from m and −S M⁻¹ S⁻¹ d from g: both are
// computed, as in drawVoxel(), to avoid cancellation. The noise is S R⁻ᵀ ε. The sum of squared residuals is
// RSS + (draw − g)' G (draw − g). Matrices are rows of a lower triangle.

namespace sulcus::activation {

/// Index of element (row, column), column ≤ row, in the rows of a lower triangle.
SULCUS_HD constexpr int inTriangle(int row, int column) { return row * (row + 1) / 2 + column; }
SULCUS_HD constexpr int inSymmetric(int a, int b) { return a > b ? inTriangle(a, b) : inTriangle(b, a); }

/// Smallest √λ used as a divisor.
inline constexpr float kSmallestRootScale = 1e-18f;

/// VoxelWork for such a voxel. `variance` and `draw` are working memory.
template <class T, int K>
struct CorrelatedWork : VoxelWork<T, K> {
  T gram[K * (K + 1) / 2];  ///< G; after setCovariance() the conditional covariance of γ
  T root[K * (K + 1) / 2];  ///< R, with reciprocals on its diagonal
};
template <class T>
struct CorrelatedWork<T, 0> : VoxelWork<T, 0> {
  T *gram, *root;

  SULCUS_HD static constexpr int size(int k) { return VoxelWork<T, 0>::size(k) + k * (k + 1); }
  SULCUS_HD CorrelatedWork(T* memory, int k)
      : VoxelWork<T, 0>(memory, k), gram(memory + VoxelWork<T, 0>::size(k)), root(gram + k * (k + 1) / 2) {}
};

/// v ← R⁻¹ v.
template <class T, class Size>
SULCUS_HD_INLINE void solveRoot(Size k, const T* root, T* v) {
  repeat(k, [&](auto j) {
    T s = v[j];
    for (int l = 0; l < j; ++l) s = fusedMultiplyAdd(-root[inTriangle(j, l)], v[l], s);
    v[j] = s * root[inTriangle(j, j)];
  });
}
/// v ← R⁻ᵀ v.
template <class T, class Size>
SULCUS_HD_INLINE void solveRootTransposed(Size k, const T* root, T* v) {
  repeat(k, [&](auto i) {
    const int j = k - 1 - i;
    T s = v[j];
    for (int l = j + 1; l < k; ++l) s = fusedMultiplyAdd(-root[inTriangle(l, j)], v[l], s);
    v[j] = s * root[inTriangle(j, j)];
  });
}

/// Component a of G v.
template <class T, class Size>
SULCUS_HD_INLINE T gramTimes(Size k, const T* gram, int a, const T* v) {
  T s = gram[inSymmetric(a, 0)] * v[0];
  for (int b = 1; b < k; ++b) s = fusedMultiplyAdd(gram[inSymmetric(a, b)], v[b], s);
  return s;
}

/// √λ_j, as used in multiplications and divisions.
template <class T>
SULCUS_HD_INLINE T rootScale(const GibbsStep& step, int j) {
  return T(larger(step.rootScales[j], kSmallestRootScale));
}

/// G = U'HU.
template <class T, class Size, class Work>
SULCUS_HD_INLINE void setGram(Size k, const GibbsStep& step, const VoxelData<T>& voxel, Work& work) {
  const auto precision = [&](int r, int c) {
    return load<T>(voxel.precision + inSymmetric(r, c) * voxel.stride);
  };
  repeat(k, [&](auto b) {
    for (int r = 0; r < k; ++r) {
      T s = precision(r, 0) * T(step.axes[int(b)]);
      for (int c = 1; c < k; ++c) s = fusedMultiplyAdd(precision(r, c), T(step.axes[c * k + b]), s);
      work.draw[r] = s;
    }
    for (int a = b; a < k; ++a) {
      T s = T(step.axes[a]) * work.draw[0];
      for (int r = 1; r < k; ++r) s = fusedMultiplyAdd(T(step.axes[r * k + a]), work.draw[r], s);
      work.gram[inTriangle(a, b)] = s;
    }
  });
}

template <class T, int K, class Size>
SULCUS_HD_INLINE void setGram(Size, const GibbsStep&, const VoxelData<T>&, VoxelWork<T, K>&) {}
/// Copies G from other work.
template <class T, int K, class Size>
SULCUS_HD_INLINE void takeGram(Size k, const CorrelatedWork<T, K>& from, CorrelatedWork<T, K>& to) {
  for (int i = 0; i < k * (k + 1) / 2; ++i) to.gram[i] = from.gram[i];
}
template <class T, int K, class Size>
SULCUS_HD_INLINE void takeGram(Size, const VoxelWork<T, K>&, VoxelWork<T, K>&) {}

/// M = I + S G S / σ² and its Cholesky factor R. In exact arithmetic no pivot is below 1.
template <class T, class Size, class Work>
SULCUS_HD_INLINE void setRoot(Size k, const GibbsStep& step, T perVariance, Work& work) {
  repeat(k, [&](auto j) {
    const T scale = rootScale<T>(step, j) * perVariance;
    for (int i = 0; i <= j; ++i) {
      T s = fusedMultiplyAdd(work.gram[inTriangle(j, i)], scale * rootScale<T>(step, i),
                             T(i == j ? 1.0f : 0.0f));
      for (int l = 0; l < i; ++l)
        s = fusedMultiplyAdd(-work.root[inTriangle(j, l)], work.root[inTriangle(i, l)], s);
      const T pivot = select(s < T(1), T(1), s);
      work.root[inTriangle(j, i)] = i == j ? reciprocalRoot(pivot) : s * work.root[inTriangle(i, i)];
    }
  });
}

/// The first half of the solution for the distribution of γ given σ², once `gram` is set: sets root, R⁻¹ S G
/// d / σ² as `deviation` and R⁻¹ S⁻¹ d as `shrink`.
///
/// The parameters are those of drawVoxel().
template <class T, class Size, class Work>
SULCUS_HD_INLINE void solveHalfway(Size k, const GibbsStep& step, const VoxelData<T>& voxel, T sigma2,
                                   Work& work) {
  const T perVariance = T(1) / sigma2;
  setRoot(k, step, perVariance, work);
  T* const difference = &work.variance[0];
  T* const fromMean = &work.deviation[0];
  T* const fromEstimate = &work.shrink[0];
  repeat(k, [&](auto j) {
    difference[j] = estimateFromMean(k, step, voxel, j);
    fromEstimate[j] = difference[j] / rootScale<T>(step, j);
  });
  repeat(k, [&](auto j) {
    fromMean[j] = gramTimes(k, &work.gram[0], j, difference) * (rootScale<T>(step, j) * perVariance);
  });
  solveRoot(k, &work.root[0], fromMean);
  solveRoot(k, &work.root[0], fromEstimate);
}

/// The distribution of γ given σ²: sets gram and root, and the conditional mean as `deviation` (from m) and
/// `shrink` (from g), in the axes U.
///
/// The parameters are those of drawVoxel().
template <class T, class Size, class Work>
SULCUS_HD_INLINE void conditionVoxel(Size k, const GibbsStep& step, const VoxelData<T>& voxel, T sigma2,
                                     Work& work) {
  setGram(k, step, voxel, work);
  solveHalfway(k, step, voxel, sigma2, work);
  solveRootTransposed(k, &work.root[0], &work.deviation[0]);
  solveRootTransposed(k, &work.root[0], &work.shrink[0]);
  repeat(k, [&](auto j) {
    work.deviation[j] = work.deviation[j] * rootScale<T>(step, j);
    work.shrink[j] = -(work.shrink[j] * rootScale<T>(step, j));
  });
}

/// drawVoxel() for a voxel with its own precision H.
template <class T, int K, class Size, class Normal>
SULCUS_HD_INLINE T drawVoxel(Size k, const GibbsStep& step, const VoxelData<T>& voxel, T sigma2,
                             const VoxelNumbers<Normal, T>& numbers, CorrelatedWork<T, K>& work) {
  conditionVoxel(k, step, voxel, sigma2, work);
  T* const noise = &work.variance[0];
  repeat(k, [&](auto j) { noise[j] = numbers.normal(j); });
  solveRootTransposed(k, &work.root[0], noise);
  repeat(k, [&](auto j) {
    const T n = noise[j] * rootScale<T>(step, j);
    work.deviation[j] = work.deviation[j] + n;
    work.residual[j] = work.shrink[j] + n;
  });
  T misfit(0);
  repeat(k, [&](auto j) {
    misfit = fusedMultiplyAdd(work.residual[j], gramTimes(k, &work.gram[0], j, &work.residual[0]), misfit);
  });
  return (voxel.squares + misfit) / numbers.chiSquare;
}

/// Call before addMoments(): replaces G by the conditional covariance of γ, U S M⁻¹ S U'.
template <class T, int K, class Size>
SULCUS_HD_INLINE void setCovariance(Size k, const GibbsStep& step, CorrelatedWork<T, K>& work) {
  T* const column = &work.variance[0];
  T* const turned = &work.draw[0];
  for (int i = 0; i < k * (k + 1) / 2; ++i) work.gram[i] = T(0);
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i < k; ++i) column[i] = T(i == j ? 1.0f : 0.0f);
    solveRootTransposed(k, &work.root[0], column);
    for (int i = 0; i < k; ++i) column[i] = column[i] * rootScale<T>(step, i);
    for (int r = 0; r < k; ++r) {
      T s = T(step.axes[r * k]) * column[0];
      for (int i = 1; i < k; ++i) s = fusedMultiplyAdd(T(step.axes[r * k + i]), column[i], s);
      turned[r] = s;
      for (int l = 0; l <= r; ++l)
        work.gram[inTriangle(r, l)] = fusedMultiplyAdd(s, turned[l], work.gram[inTriangle(r, l)]);
    }
  }
}
template <class T, int K, class Size>
SULCUS_HD_INLINE void setCovariance(Size, const GibbsStep&, VoxelWork<T, K>&) {}

/// For addMoments(): `to` plus element (i, l), l ≤ i, of the conditional covariance of γ.
template <class T, int K, class Size>
SULCUS_HD_INLINE T plusCovariance(Size, const float*, const CorrelatedWork<T, K>& work, int i, int l, T to) {
  return to + work.gram[inTriangle(i, l)];
}

}  // namespace sulcus::activation
