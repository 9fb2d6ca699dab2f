#pragma once

#include "core/math/distributions.h"
#include "core/math/generators.h"

#include <cmath>
#include <cstdint>
#include <utility>

// One iteration of one voxel (or of a pack of voxels) of the Gibbs scheme, in the axes of V_γ = U diag(λ) U'.
//
// There g = U'γ̂ has the likelihood N(·, σ² I) and the prior is N(m, diag(λ)), m = U'Δ'z, so every component
// is drawn by itself: draw_j = m_j + w_j (g_j − m_j) + √(σ² w_j) ε_j with w_j = λ_j / (λ_j + σ²). The sum of
// squared residuals is RSS + Σ (draw_j − g_j)². Differences from m and from g are computed apart, so that
// neither loses digits to the other: 1 − w_j is σ² / (λ_j + σ²).
//
// Words of one iteration, four at a time: pairs of words for k + 1 normal numbers, one for the first
// candidate of χ²; then four (two for a normal number, one uniform, one spare) for each further candidate.

namespace sulcus {

/// A size known when compiled; an int is one that is not.
template <int K>
struct Fixed {
  SULCUS_HD constexpr operator int() const { return K; }
};

/// Calls f(i) for i from 0 to n − 1, without a loop where n is fixed.
template <int N, class F>
SULCUS_HD_INLINE void repeat(Fixed<N>, const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(Fixed<I>()), ...); }
  (std::make_integer_sequence<int, N>());
}
template <class F>
SULCUS_HD_INLINE void repeat(int n, const F& f) {
  for (int i = 0; i < n; ++i) f(i);
}

/// Pairs of normal numbers that an iteration takes: one more than there are regressors.
template <int K>
SULCUS_HD constexpr Fixed<(K + 2) / 2> normalPairs(Fixed<K>) {
  return {};
}
SULCUS_HD constexpr int normalPairs(int k) { return (k + 2) / 2; }

/// Blocks of four words that an iteration takes, refused candidates of χ² apart.
SULCUS_HD constexpr int wordBlocks(int k) { return (2 * normalPairs(k) + 1 + 3) / 4; }

/// What all voxels of a group share in one iteration.
struct GibbsStep {
  const float* axes = nullptr;        ///< U, k × k by rows: column j is axis j
  const float* scales = nullptr;      ///< λ, k
  const float* rootScales = nullptr;  ///< √λ, k
  const float* means = nullptr;       ///< U'Δ', k × q by rows
};

/// The random numbers of an iteration, which depend on no parameter but ν_e + n: k standard normal ones and a
/// χ².
///
/// @param normal  room for k + 2
/// @param words   has four(words, lanes), see core/math/generators.h
template <class T, class Size, class Words>
SULCUS_HD_INLINE void drawNumbers(Size k, const ChiSquare<float>& law, Words& words, T* normal,
                                  T& chiSquare) {
  using Uint = UintOf<T>;
  const auto all = T(0) < T(1);
  const auto pairs = normalPairs(k);
  Uint word[4];
  repeat(pairs, [&](auto i) {
    if (i % 2 == 0) words.four(word, all);
    normalPair(word[i % 2 * 2], word[i % 2 * 2 + 1], normal[2 * i], normal[2 * i + 1]);
  });
  if (pairs % 2 == 0) words.four(word, all);
  auto accepted = chiSquareCandidate(law, normal[k], uniform(word[pairs % 2 * 2]), chiSquare);
  while (any(!accepted)) {
    words.four(word, !accepted);
    T x, spare, other;
    normalPair(word[0], word[1], x, spare);
    const auto good = chiSquareCandidate(law, x, uniform(word[2]), other);
    chiSquare = select(accepted, chiSquare, other);  // refused ones are replaced again
    accepted = accepted | good;
  }
}

/// What drawVoxel leaves for the sums and moments; in the axes.
template <class T, int K>
struct VoxelWork {
  T deviation[K];  ///< draw − m
  T residual[K];   ///< draw − g
  T shrink[K];     ///< conditional mean − g
  T variance[K];   ///< conditional variance
  T draw[K];       ///< used by addMoments
};

/// The same in memory of size(k) T, for any k.
template <class T>
struct VoxelWork<T, 0> {
  T *deviation, *residual, *shrink, *variance, *draw;

  SULCUS_HD static constexpr int size(int k) { return 5 * k; }
  SULCUS_HD VoxelWork(T* memory, int k)
      : deviation(memory),
        residual(deviation + k),
        shrink(residual + k),
        variance(shrink + k),
        draw(variance + k) {}
};

/// Draws γ, given σ², then σ².
///
/// @param q          covariates of the second level
/// @param estimate   γ̂: component i at estimate[i * stride], lanes side by side
/// @param z          covariates after the first (which is 1), likewise
/// @param squares    ν_e s² + RSS
/// @param normal     number j is normal(j), @param chiSquare of drawNumbers
/// @return           the new σ²
template <class T, class Size, class Work, class Normal>
SULCUS_HD_INLINE T drawVoxel(Size k, int q, const GibbsStep& step, const float* estimate, const float* z,
                             std::int64_t stride, T squares, T sigma2, const Normal& normal, T chiSquare,
                             Work& work) {
  const T sigma = sigma2 * reciprocalRoot(sigma2);
  T misfit(0);
  repeat(k, [&](auto j) {
    T g = T(step.axes[j]) * load<T>(estimate);
    for (int i = 1; i < k; ++i)
      g = fusedMultiplyAdd(T(step.axes[i * k + j]), load<T>(estimate + i * stride), g);
    T m(step.means[j * q]);
    for (int c = 1; c < q; ++c)
      m = fusedMultiplyAdd(T(step.means[j * q + c]), load<T>(z + (c - 1) * stride), m);
    const T apart = g - m;
    const T root = reciprocalRoot(sigma2 + T(step.scales[j]));
    const T precision = root * root;
    const T spread = T(step.rootScales[j]) * sigma * root;
    const T shrink = -(sigma2 * precision) * apart;
    const T noise = normal(j);
    const T residual = fusedMultiplyAdd(spread, noise, shrink);
    work.deviation[j] = fusedMultiplyAdd(spread, noise, T(step.scales[j]) * precision * apart);
    work.residual[j] = residual;
    work.shrink[j] = shrink;
    work.variance[j] = spread * spread;
    misfit = fusedMultiplyAdd(residual, residual, misfit);
  });
  return (squares + misfit) / chiSquare;
}

/// Numbers kept of each voxel and chain for its moments, float32. All coordinates are those of γ but where it
/// says β; "from the estimate" means that γ̂ was subtracted.
struct MomentLayout {
  int k = 0;

  SULCUS_HD int centre() const { return 0; }          ///< first kept conditional mean, from the estimate; k
  SULCUS_HD int mean() const { return k; }            ///< Σ conditional means, from the centre; k
  SULCUS_HD int covariance() const { return 2 * k; }  ///< Σ (their squares + conditional covariance)
  SULCUS_HD int sigma2() const {
    return covariance() + k * (k + 1) / 2;
  }                                                       ///< Σ, Σ of squares; from its centre
  SULCUS_HD int square() const { return sigma2() + 2; }   ///< Σ of squared draws of β, from the centre; k
  SULCUS_HD int batch() const { return square() + k; }    ///< Σ of draws of β in this batch; k
  SULCUS_HD int batches() const { return batch() + k; }   ///< Σ over batches of the square of that; k
  SULCUS_HD int halves() const { return batches() + k; }  ///< Σ of draws of β in each half; 2 k
  SULCUS_HD int size() const { return halves() + 2 * k; }
};

/// Batches of consecutive kept draws of a chain: split-R̂ and effective sizes come from their sums. What is
/// left over at the end of a chain is left out of both.
struct BatchPlan {
  int length = 1;   ///< draws in a batch
  int perHalf = 0;  ///< batches in half a chain

  BatchPlan() = default;
  explicit BatchPlan(int kept) {
    while ((length + 1) * (length + 1) <= kept) ++length;
    perHalf = kept / (2 * length);
  }
  SULCUS_HD int draws() const { return 2 * perHalf * length; }
};

/// Adds a draw to the moments of a voxel; what drawVoxel left in `work` is used up.
///
/// @param inverse  L⁻ᵀ (upper triangle, k × k by rows): β = L⁻ᵀ γ
/// @param index    of the draw among the chain's kept ones
/// @param centre2  what σ² is centred on in its sums: about its mean, the same for all draws and chains
/// @param moments  number i at moments[i * stride]
template <class T, class Size, class Work>
SULCUS_HD_INLINE void addMoments(Size k, const float* axes, const float* inverse, const BatchPlan& plan,
                                 int index, T sigma2, T centre2, Work& work, float* moments,
                                 std::int64_t stride) {
  const MomentLayout at{k};
  const bool first = index == 0;
  const auto add = [&](int slot, T value) {
    float* const to = moments + slot * stride;
    store(to, first ? value : load<T>(to) + value);
  };
  // The draw and the conditional mean, both from the centre.
  T* const draw = &work.draw[0];
  T* const mean = &work.deviation[0];
  for (int i = 0; i < k; ++i) {
    T d(0), s(0);
    for (int j = 0; j < k; ++j) {
      d = fusedMultiplyAdd(T(axes[i * k + j]), work.residual[j], d);
      s = fusedMultiplyAdd(T(axes[i * k + j]), work.shrink[j], s);
    }
    float* const to = moments + (at.centre() + i) * stride;
    if (first) store(to, s);
    const T centre = load<T>(to);
    draw[i] = d - centre;
    mean[i] = s - centre;
  }
  for (int i = 0; i < k; ++i) {
    add(at.mean() + i, mean[i]);
    for (int l = 0; l <= i; ++l) {
      T c = mean[i] * mean[l];
      for (int j = 0; j < k; ++j)
        c = fusedMultiplyAdd(T(axes[i * k + j]) * work.variance[j], T(axes[l * k + j]), c);
      add(at.covariance() + i * (i + 1) / 2 + l, c);
    }
  }
  const T above = sigma2 - centre2;
  add(at.sigma2(), above);
  add(at.sigma2() + 1, above * above);

  if (index >= plan.draws()) return;
  const int place = index % plan.length, batch = index / plan.length;
  for (int i = 0; i < k; ++i) {
    T beta = T(inverse[i * k + i]) * draw[i];
    for (int j = i + 1; j < k; ++j) beta = fusedMultiplyAdd(T(inverse[i * k + j]), draw[j], beta);
    add(at.square() + i, beta * beta);
    float* const to = moments + (at.batch() + i) * stride;
    const T sum = place == 0 ? beta : load<T>(to) + beta;
    store(to, sum);
    if (place + 1 < plan.length) continue;
    const auto fold = [&](int slot, T value, bool start) {
      float* const whole = moments + slot * stride;
      store(whole, start ? value : load<T>(whole) + value);
    };
    fold(at.batches() + i, sum * sum, batch == 0);
    fold(at.halves() + (batch / plan.perHalf) * k + i, sum, batch % plan.perHalf == 0);
  }
}

/// The moments of one voxel from those of its chains.
///
/// @param moments    number i of chain c at moments[c * chainStride + i * stride]
/// @param done       kept draws of each chain so far; split-R̂ and effective sizes are NaN before all are
/// @param inverse    L⁻ᵀ, as for addMoments
/// @param mean, rhat, ess   k; @param covariance k(k+1)/2; @param sigma2 mean and variance
/// @param outStride  from number to number in each of these
SULCUS_HD inline void foldMoments(int k, int chains, int kept, int done, const BatchPlan& plan,
                                  const float* moments, std::int64_t stride, std::int64_t chainStride,
                                  const float* inverse, float centre2, float* mean, float* covariance,
                                  float* sigma2, float* rhat, float* ess, std::int64_t outStride = 1) {
  const MomentLayout at{k};
  const auto of = [&](int chain, int slot) { return double(moments[chain * chainStride + slot * stride]); };
  const double share = 1.0 / chains, per = 1.0 / done;
  // Everything from the estimate: chain c's mean of component i.
  const auto meanOf = [&](int c, int i) { return of(c, at.centre() + i) + of(c, at.mean() + i) * per; };
  for (int i = 0; i < k; ++i) {
    double sum = 0;
    for (int c = 0; c < chains; ++c) sum += meanOf(c, i);
    mean[i * outStride] = float(sum * share);
  }
  for (int i = 0; i < k; ++i)
    for (int l = 0; l <= i; ++l) {
      double sum = 0, mi = 0, ml = 0;
      for (int c = 0; c < chains; ++c) mi += meanOf(c, i) * share, ml += meanOf(c, l) * share;
      for (int c = 0; c < chains; ++c) {
        const int slot = at.covariance() + i * (i + 1) / 2 + l;
        sum += of(c, slot) * per - of(c, at.mean() + i) * per * (of(c, at.mean() + l) * per);
        sum += (meanOf(c, i) - mi) * (meanOf(c, l) - ml);
      }
      covariance[(i * (i + 1) / 2 + l) * outStride] = float(sum * share);
    }
  double s1 = 0, s2 = 0;
  for (int c = 0; c < chains; ++c)
    s1 += of(c, at.sigma2()) * per * share, s2 += of(c, at.sigma2() + 1) * per * share;
  sigma2[0] = float(centre2 + s1);
  sigma2[outStride] = float(s2 - s1 * s1);

  const int half = plan.perHalf * plan.length, batches = 2 * plan.perHalf;
  for (int i = 0; i < k; ++i) {
    rhat[i * outStride] = ess[i * outStride] = NAN;
    if (done < kept || half < 2) continue;
    // Draws of β from each chain's centre, and that centre in β.
    double within = 0, among = 0, total = 0, sizes = 0, grand = 0;
    const auto centreOf = [&](int c) {
      double sum = 0;
      for (int j = i; j < k; ++j) sum += double(inverse[i * k + j]) * of(c, at.centre() + j);
      return sum;
    };
    const auto halfOf = [&](int c, int h) { return of(c, at.halves() + h * k + i); };
    for (int c = 0; c < chains; ++c)
      grand += (centreOf(c) + (halfOf(c, 0) + halfOf(c, 1)) / (2.0 * half)) * share;
    for (int c = 0; c < chains; ++c) {
      const double h0 = halfOf(c, 0) / half, h1 = halfOf(c, 1) / half, chainMean = (h0 + h1) / 2;
      const double far = centreOf(c) - grand;
      const double squares = of(c, at.square() + i);
      within += squares - half * (h0 * h0 + h1 * h1);
      total += squares - 2.0 * half * chainMean * chainMean;
      total += 2.0 * half * (far + chainMean) * (far + chainMean);
      among += (far + h0) * (far + h0) + (far + h1) * (far + h1);
      // Squares of the batches' means about the grand mean.
      const double length = plan.length;
      sizes +=
          of(c, at.batches() + i) / (length * length) + 2 * far * batches * chainMean + batches * far * far;
    }
    within /= 2.0 * chains * (half - 1);
    among /= 2.0 * chains - 1;
    total /= 2.0 * half * chains - 1;
    sizes /= double(batches) * chains - 1;
    const double draws = 2.0 * half * chains;
    rhat[i * outStride] = float(::sqrt((half - 1.0) / half + among / within));
    const double effective = draws * total / (plan.length * sizes);
    ess[i * outStride] = float(effective < draws ? effective : draws);
  }
}

}  // namespace sulcus
