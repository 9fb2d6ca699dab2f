#pragma once

#include "core/math/distributions.h"
#include "core/math/philox.h"

#include <cstdint>

// Input of the draw of a group's hyper-parameters: prior, sums over the voxels and random numbers. Matrices
// are stored by rows.

namespace sulcus::activation {

/// The hyper-parameters of an iteration, float32, as stored in GibbsResult::hyper (HyperLayout).
struct HyperParameters {
  float* axes;    ///< U, k × k: column j is an eigenvector of V_γ
  float* scales;  ///< λ, k: its eigenvalues
  float* means;   ///< U'Δ', k × q
};

/// Length of the cycle of coefficients that interweaving moves, iterations.
SULCUS_HD constexpr int shiftTurns(int k) { return 4 * k; }

/// The prior of a group and the sums over its covariates, constant over the iterations.
struct HyperPrior {
  const double* scale;        ///< V of γ, k × k
  const double* scaleOfBeta;  ///< V of β, k × k; here and below β is Tβ (GibbsProblem::centering)
  const double* toBeta;       ///< TL⁻ᵀ, k × k: β from γ
  const double* toGamma;      ///< L'T⁻¹, k × k
  const double* block;        ///< index of the block of V_β of each regressor, k
  const double* turns;        ///< the coefficients that interweaving moves, one per iteration, shiftTurns(k)
  const double* zz;           ///< Z'Z + A, q × q
  const double* zzInverse;    ///< (Z'Z + A)⁻¹, q × q
  const double* zzRoot;       ///< R, q × q: upper triangular with R R' = (Z'Z + A)⁻¹
  double a = 0;               ///< A = a I
  double nu = 0;              ///< ν, degrees of freedom of the prior of V_γ
  double freedom = 0;         ///< ν + M, those of its posterior
  bool blocks = false;        ///< whether V_β has several blocks

  /// Index of the coefficient that is moved with the voxels of an iteration.
  SULCUS_HD int shifted(int k, std::uint32_t iteration) const {
    return int(turns[iteration % std::uint32_t(shiftTurns(k))]);
  }

  /// Whether regressors i and j may covary.
  SULCUS_HD bool together(int i, int j) const { return block[i] == block[j]; }
  /// By how much the degrees of freedom of the marginal distribution of regressor i's block are fewer than
  /// those of the full V_β: the number of regressors in other blocks (Press, Applied Multivariate Analysis
  /// (1982) §5.2).
  SULCUS_HD int otherBlocks(int k, int i) const {
    int count = 0;
    for (int j = 0; j < k; ++j) count += !together(i, j);
    return count;
  }
};

/// Number of values in a group's sums: Σ d d' (rows of the lower triangle), then Σ z d' (q × k).
SULCUS_HD constexpr int scatterSums(int k, int q) { return k * (k + 1) / 2 + q * k; }
/// Number of values added by interweaving: Σ g w w' (rows of the lower triangle), then Σ e w, with w = (d, z)
/// and the slope e and curvature g of the voxel (interweaving_kernel.h).
SULCUS_HD constexpr int shiftSums(int k, int q) { return (k + q) * (k + q + 1) / 2 + k + q; }
SULCUS_HD constexpr int hyperSums(int k, int q, bool interwoven) {
  return scatterSums(k, q) + (interwoven ? shiftSums(k, q) : 0);
}

/// Number of doubles that interweaving needs as working memory.
SULCUS_HD constexpr int shiftWork(int k, int q) {
  return k * k + 2 * (k + q) * (k + q) + q * k + 3 * (k + q) + 3 * k;
}

inline constexpr std::uint32_t kShiftNormals = 1u << 28, kShiftUniforms = 1u << 30, kCommonErrors = 3u << 28;

/// The random numbers of one hyper-draw. The counter of Philox is (block, iteration, group, chain |
/// kHyperStream): normal numbers use blocks from 0, the i-th χ² those from 2³¹ + 4096 i; interweaving
/// uses normal numbers from block 2²⁸ and uniform ones from 2³⁰; the common error uses those from 3 · 2²⁸.
struct HyperStream {
  PhiloxKey key;
  std::uint32_t iteration = 0, group = 0, chain = 0;

  SULCUS_HD void block(std::uint32_t index, std::uint32_t (&words)[4]) const {
    words[0] = index;
    words[1] = iteration;
    words[2] = group;
    words[3] = chain | kHyperStream;
    philox(words, key);
  }
  /// Standard normal numbers 4 i … 4 i + 3.
  SULCUS_HD void normals(std::uint32_t i, float (&n)[4]) const {
    std::uint32_t words[4];
    block(i, words);
    normalPair(words[0], words[1], n[0], n[1]);
    normalPair(words[2], words[3], n[2], n[3]);
  }
  /// The i-th uniform number of interweaving.
  SULCUS_HD double uniformNumber(std::uint32_t i) const {
    std::uint32_t words[4];
    block(kShiftUniforms + i, words);
    return double(uniform(words[0]));
  }
  /// The i-th χ² number.
  SULCUS_HD double chiSquare(std::uint32_t i, double freedom) const {
    const ChiSquare<double> law(freedom);
    for (std::uint32_t attempt = 0;; ++attempt) {
      std::uint32_t words[4];
      block(0x80000000u | i << 12 | attempt, words);
      float normal, spare;
      normalPair(words[0], words[1], normal, spare);
      double value;
      if (chiSquareCandidate(law, double(normal), double(uniform(words[2])), value)) return value;
    }
  }
};

}  // namespace sulcus::activation
