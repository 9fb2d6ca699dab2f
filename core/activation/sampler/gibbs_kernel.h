#pragma once

#include "core/activation/sampler/moment_layout.h"
#include "core/math/distributions.h"
#include "core/math/philox.h"

#include <cmath>
#include <cstdint>
#include <utility>

// One iteration of the Gibbs sampler in one voxel, or in a pack of voxels ("A voxel's step" in
// resources/design/engines.md), in the axes of V_γ = U diag(λ) U'.
//
// In these axes g = U'γ̂ has the likelihood N(·, σ² I) and the prior is N(m, diag(λ)), m = U'Δ'z. Therefore
// the components are drawn independently: draw_j = m_j + w_j (g_j − m_j) + √(σ² w_j) ε_j with w_j = λ_j /
// (λ_j + σ²). The sum of squared residuals is RSS + Σ (draw_j − g_j)². The differences from m and from g are
// computed separately, with 1 − w_j as σ² / (λ_j + σ²), to avoid cancellation.
//
// An iteration uses random words in blocks of four. First come pairs of words for k + 1 normal numbers and
// one word for the first candidate of χ². Each further candidate uses a block: two words for a normal number,
// one for a uniform number, one unused.

namespace sulcus::activation {

/// A size known at compile time. An unknown size is an int instead.
template <int K>
struct Fixed {
  SULCUS_HD constexpr operator int() const { return K; }
};

/// Calls f(i) for i from 0 to n − 1, unrolled if n is known at compile time.
template <int N, class F>
SULCUS_HD_INLINE void repeat(Fixed<N>, const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(Fixed<I>()), ...); }
  (std::make_integer_sequence<int, N>());
}
template <class F>
SULCUS_HD_INLINE void repeat(int n, const F& f) {
  for (int i = 0; i < n; ++i) f(i);
}

/// Number of pairs of normal numbers per iteration, which contain k + 1 of them.
template <int K>
SULCUS_HD constexpr Fixed<(K + 2) / 2> normalPairs(Fixed<K>) {
  return {};
}
SULCUS_HD constexpr int normalPairs(int k) { return (k + 2) / 2; }

/// Number of blocks of four words per iteration if its first candidate of χ² is accepted.
SULCUS_HD constexpr int wordBlocks(int k) { return (2 * normalPairs(k) + 1 + 3) / 4; }

/// The hyper-parameters of one iteration, common to all voxels of a group.
struct GibbsStep {
  int q = 1;                          ///< covariates of the second level
  const float* axes = nullptr;        ///< U, k × k by rows: column j is axis j
  const float* scales = nullptr;      ///< λ, k
  const float* rootScales = nullptr;  ///< √λ, k
  const float* means = nullptr;       ///< U'Δ', k × q by rows
  const float* direction = nullptr;   ///< shiftDirection(), k: only if hyper-parameters are interwoven
};

/// Draws the random numbers of an iteration, which do not depend on the parameters of the model: k standard
/// normal numbers and a χ².
///
/// @param law        χ² of ν_e + n degrees of freedom
/// @param words      a stream with next4(words), as PhiloxStream
/// @param normal     receives k numbers; must have room for k + 2
/// @param chiSquare  receives the χ² number
template <class T, class Size, class Words>
SULCUS_HD_INLINE void drawNumbers(Size k, const ChiSquare<float>& law, Words& words, T* normal,
                                  T& chiSquare) {
  using Uint = UintOf<T>;
  const auto pairs = normalPairs(k);
  Uint word[4];
  repeat(pairs, [&](auto i) {
    if (i % 2 == 0) words.next4(word);
    normalPair(word[i % 2 * 2], word[i % 2 * 2 + 1], normal[2 * i], normal[2 * i + 1]);
  });
  if (pairs % 2 == 0) words.next4(word);
  auto accepted = chiSquareCandidate(law, normal[k], uniform(word[pairs % 2 * 2]), chiSquare);
  while (any(!accepted)) {
    words.next4(word);
    T x, spare, other;
    normalPair(word[0], word[1], x, spare);
    const auto good = chiSquareCandidate(law, x, uniform(word[2]), other);
    chiSquare = select(accepted, chiSquare, other);  // a rejected candidate is replaced in the next round
    accepted = accepted | good;
  }
}

/// Results of drawVoxel for the sums and moments; components along the axes U.
template <class T, int K>
struct VoxelWork {
  T deviation[K];  ///< draw − m
  T residual[K];   ///< draw − g
  T shrink[K];     ///< conditional mean − g
  T variance[K];   ///< conditional variance
  T draw[K];       ///< working memory of addMoments
};

/// Working memory of a voxel for any k, in size(k) numbers T.
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

/// The input of a step for a voxel, or for a pack of voxels whose numbers are adjacent. Number i of an array
/// is at array[i * stride].
template <class T>
struct VoxelData {
  const float* estimate;   ///< γ̂, k numbers
  const float* precision;  ///< H, its lower triangle by rows; unused if H is the identity
  const float* z;          ///< the q − 1 covariates after the first (which is 1)
  std::int64_t stride;
  T squares;  ///< ν_e s² + RSS
};

/// The random numbers of drawVoxel().
template <class Normal, class T>
struct VoxelNumbers {
  Normal normal;  ///< normal(j) is the j-th standard normal number, j = 0 … k − 1
  T chiSquare;    ///< χ² of ν_e + n degrees of freedom
};
template <class Normal, class T>
SULCUS_HD VoxelNumbers(Normal, T)->VoxelNumbers<Normal, T>;

/// Component j of g − m, in the axes U.
template <class T, class Size, class Index>
SULCUS_HD_INLINE T estimateFromMean(Size k, const GibbsStep& step, const VoxelData<T>& voxel, Index j) {
  T g = T(step.axes[int(j)]) * load<T>(voxel.estimate);
  for (int i = 1; i < k; ++i)
    g = fusedMultiplyAdd(T(step.axes[i * k + j]), load<T>(voxel.estimate + i * voxel.stride), g);
  T m(step.means[j * step.q]);
  for (int c = 1; c < step.q; ++c)
    m = fusedMultiplyAdd(T(step.means[j * step.q + c]), load<T>(voxel.z + (c - 1) * voxel.stride), m);
  return g - m;
}

/// Draws γ given σ², then σ² given γ, if H is the identity.
///
/// @param k       regressors
/// @param sigma2  σ² of the previous iteration
/// @param work    receives the draw
/// @return        the new σ²
template <class T, int K, class Size, class Normal>
SULCUS_HD_INLINE T drawVoxel(Size k, const GibbsStep& step, const VoxelData<T>& voxel, T sigma2,
                             const VoxelNumbers<Normal, T>& numbers, VoxelWork<T, K>& work) {
  const T sigma = sigma2 * reciprocalRoot(sigma2);
  T misfit(0);
  repeat(k, [&](auto j) {
    const T difference = estimateFromMean(k, step, voxel, j);
    const T root = reciprocalRoot(sigma2 + T(step.scales[j]));
    const T precision = root * root;
    const T spread = T(step.rootScales[j]) * sigma * root;
    const T shrink = -(sigma2 * precision) * difference;
    const T noise = numbers.normal(j);
    const T residual = fusedMultiplyAdd(spread, noise, shrink);
    work.deviation[j] = fusedMultiplyAdd(spread, noise, T(step.scales[j]) * precision * difference);
    work.residual[j] = residual;
    work.shrink[j] = shrink;
    work.variance[j] = spread * spread;
    misfit = fusedMultiplyAdd(residual, residual, misfit);
  });
  return (voxel.squares + misfit) / numbers.chiSquare;
}

/// `to` plus element (i, l) of the conditional covariance of γ, for addMoments().
template <class T, int K, class Size>
SULCUS_HD_INLINE T plusCovariance(Size k, const float* axes, const VoxelWork<T, K>& work, int i, int l,
                                  T to) {
  for (int j = 0; j < k; ++j)
    to = fusedMultiplyAdd(T(axes[i * k + j]) * work.variance[j], T(axes[l * k + j]), to);
  return to;
}

/// What all voxels share when a draw is added to their sums.
struct KeptDraw {
  const float* axes;      ///< U, k × k by rows
  const float* inverse;   ///< L⁻ᵀ (upper triangle, k × k by rows): β = L⁻ᵀ γ
  const BatchPlan& plan;  ///< of the draws that the chain keeps
  int index;              ///< of the draw among them
};

/// The sums of a voxel: number i of MomentLayout at first[i * stride].
struct MomentSums {
  float* first;
  std::int64_t stride;
};

/// Adds a draw to the sums of a voxel.
///
/// @param sigma2Center  subtracted from σ² in its sums: about its mean, the same for all draws and chains
/// @param work          the draw from drawVoxel; overwritten
template <class T, class Size, class Work>
SULCUS_HD_INLINE void addMoments(Size k, const KeptDraw& kept, T sigma2, T sigma2Center, Work& work,
                                 const MomentSums& sums) {
  const auto& [axes, inverse, plan, index] = kept;
  const MomentLayout at{k};
  const bool first = index == 0;
  const auto placeOf = [&](int slot) { return sums.first + slot * sums.stride; };
  const auto add = [&](int slot, T value, bool starts) {
    float* const to = placeOf(slot);
    store(to, starts ? value : load<T>(to) + value);
  };
  // The draw and the conditional mean in γ, both relative to the center.
  T* const draw = &work.draw[0];
  T* const mean = &work.deviation[0];
  for (int i = 0; i < k; ++i) {
    T d(0), s(0);
    for (int j = 0; j < k; ++j) {
      d = fusedMultiplyAdd(T(axes[i * k + j]), work.residual[j], d);
      s = fusedMultiplyAdd(T(axes[i * k + j]), work.shrink[j], s);
    }
    float* const to = placeOf(at.center() + i);
    if (first) store(to, s);
    const T center = load<T>(to);
    draw[i] = d - center;
    mean[i] = s - center;
  }
  for (int i = 0; i < k; ++i) {
    add(at.mean() + i, mean[i], first);
    for (int l = 0; l <= i; ++l)
      add(at.covariance() + i * (i + 1) / 2 + l, plusCovariance(k, axes, work, i, l, mean[i] * mean[l]),
          first);
  }
  const T above = sigma2 - sigma2Center;
  add(at.sigma2(), above, first);
  add(at.sigma2() + 1, above * above, first);

  if (index >= plan.draws()) return;
  const int place = index % plan.length, batch = index / plan.length;
  for (int i = 0; i < k; ++i) {
    T beta = T(inverse[i * k + i]) * draw[i];
    for (int j = i + 1; j < k; ++j) beta = fusedMultiplyAdd(T(inverse[i * k + j]), draw[j], beta);
    add(at.square() + i, beta * beta, first);
    float* const to = placeOf(at.batch() + i);
    const T sum = place == 0 ? beta : load<T>(to) + beta;
    store(to, sum);
    if (place + 1 < plan.length) continue;
    add(at.batches() + i, sum * sum, batch == 0);
    add(at.halves() + (batch / plan.perHalf) * k + i, sum, batch % plan.perHalf == 0);
  }
}

/// The sums of one voxel in all chains of a run.
struct ChainSums {
  const float* sums;        ///< number i of MomentLayout of chain c at sums[c * chainStride + i * stride]
  std::int64_t stride = 1;  ///< between numbers
  std::int64_t chainStride = 0;  ///< between chains
  int chains = 1;
  int kept = 0;      ///< total draws that each chain keeps
  int done = 0;      ///< draws kept by each chain so far, ≥ 1
  BatchPlan plan;    ///< of `kept` draws
  float center = 0;  ///< of σ², as for addMoments

  SULCUS_HD double at(int chain, int slot) const { return double(sums[chain * chainStride + slot * stride]); }
  /// Mean of component i of γ in a chain, relative to the estimate.
  SULCUS_HD double mean(int chain, int i, const MomentLayout& layout) const {
    return at(chain, layout.center() + i) + at(chain, layout.mean() + i) * (1.0 / done);
  }
};

/// Where the moments of one voxel are stored: number i of each at [i * stride].
struct VoxelMoments {
  float* mean;        ///< k: of γ, relative to the estimate
  float* covariance;  ///< k (k + 1) / 2: of γ, rows of the lower triangle
  float* sigma2;      ///< 2: mean and variance of σ²
  float* rhat;        ///< k: split-R̂ of β
  float* ess;         ///< k: effective number of draws of β, from batch means
  std::int64_t stride = 1;
};

/// Posterior mean and covariance of γ, by the laws of total expectation and covariance over the draws of a
/// chain and over the chains.
SULCUS_HD inline void combineMeans(const MomentLayout& at, const ChainSums& from, const VoxelMoments& to) {
  const int k = at.k, chains = from.chains;
  const double share = 1.0 / chains, per = 1.0 / from.done;
  for (int i = 0; i < k; ++i) {
    double sum = 0;
    for (int c = 0; c < chains; ++c) sum += from.mean(c, i, at);
    to.mean[i * to.stride] = float(sum * share);
  }
  for (int i = 0; i < k; ++i)
    for (int l = 0; l <= i; ++l) {
      double sum = 0, mi = 0, ml = 0;
      for (int c = 0; c < chains; ++c) mi += from.mean(c, i, at) * share, ml += from.mean(c, l, at) * share;
      for (int c = 0; c < chains; ++c) {
        const int slot = at.covariance() + i * (i + 1) / 2 + l;
        sum += from.at(c, slot) * per - from.at(c, at.mean() + i) * per * (from.at(c, at.mean() + l) * per);
        sum += (from.mean(c, i, at) - mi) * (from.mean(c, l, at) - ml);
      }
      to.covariance[(i * (i + 1) / 2 + l) * to.stride] = float(sum * share);
    }
}

/// Mean and variance of σ² over the draws of all chains.
SULCUS_HD inline void combineVariances(const MomentLayout& at, const ChainSums& from,
                                       const VoxelMoments& to) {
  const double share = 1.0 / from.chains, per = 1.0 / from.done;
  double s1 = 0, s2 = 0;
  for (int c = 0; c < from.chains; ++c)
    s1 += from.at(c, at.sigma2()) * per * share, s2 += from.at(c, at.sigma2() + 1) * per * share;
  to.sigma2[0] = float(from.center + s1);
  to.sigma2[to.stride] = float(s2 - s1 * s1);
}

/// Split-R̂ and effective number of draws of component i of β. With h the draws of half a chain, W and B/h the
/// variances within and among the halves, R̂² = (h − 1)/h + (B/h)/W (Gelman et al., Bayesian Data Analysis,
/// 3rd ed. (2013) §11.4). The effective number is draws · var / (length · var of the batch means), at most
/// the number of draws (batch means: Geyer, Handbook of Markov Chain Monte Carlo (2011) §1.10).
///
/// @param inverse  L⁻ᵀ (upper triangle, k × k by rows): β = L⁻ᵀ γ
SULCUS_HD inline void diagnoseComponent(int i, const MomentLayout& at, const float* inverse,
                                        const ChainSums& from, float& rhat, float& ess) {
  const int k = at.k, chains = from.chains;
  const int half = from.plan.perHalf * from.plan.length, batches = 2 * from.plan.perHalf;
  rhat = ess = NAN;
  if (from.done < from.kept || half < 2) return;
  const double share = 1.0 / chains;
  double within = 0, among = 0, total = 0, batchSquares = 0, grand = 0;
  // The sums hold draws of β relative to each chain's center; this is that center in β.
  const auto centerOf = [&](int c) {
    double sum = 0;
    for (int j = i; j < k; ++j) sum += double(inverse[i * k + j]) * from.at(c, at.center() + j);
    return sum;
  };
  const auto halfOf = [&](int c, int h) { return from.at(c, at.halves() + h * k + i); };
  for (int c = 0; c < chains; ++c)
    grand += (centerOf(c) + (halfOf(c, 0) + halfOf(c, 1)) / (2.0 * half)) * share;
  for (int c = 0; c < chains; ++c) {
    const double h0 = halfOf(c, 0) / half, h1 = halfOf(c, 1) / half, chainMean = (h0 + h1) / 2;
    const double offset = centerOf(c) - grand;
    const double squares = from.at(c, at.square() + i);
    within += squares - half * (h0 * h0 + h1 * h1);
    total += squares - 2.0 * half * chainMean * chainMean;
    total += 2.0 * half * (offset + chainMean) * (offset + chainMean);
    among += (offset + h0) * (offset + h0) + (offset + h1) * (offset + h1);
    // Squares of the batch means about the grand mean.
    const double length = from.plan.length;
    batchSquares += from.at(c, at.batches() + i) / (length * length) + 2 * offset * batches * chainMean +
                    batches * offset * offset;
  }
  within /= 2.0 * chains * (half - 1);
  among /= 2.0 * chains - 1;
  total /= 2.0 * half * chains - 1;
  batchSquares /= double(batches) * chains - 1;
  const double draws = 2.0 * half * chains;
  rhat = float(::sqrt((half - 1.0) / half + among / within));
  const double effective = draws * total / (from.plan.length * batchSquares);
  ess = float(effective < draws ? effective : draws);
}

/// The moments of one voxel from the sums of its chains; split-R̂ and effective numbers are NaN until all
/// draws are made.
///
/// @param k        regressors
/// @param inverse  L⁻ᵀ, as for addMoments
SULCUS_HD inline void combineChains(int k, const float* inverse, const ChainSums& from,
                                    const VoxelMoments& to) {
  const MomentLayout layout{k};
  combineMeans(layout, from, to);
  combineVariances(layout, from, to);
  for (int i = 0; i < k; ++i)
    diagnoseComponent(i, layout, inverse, from, to.rhat[i * to.stride], to.ess[i * to.stride]);
}

}  // namespace sulcus::activation
