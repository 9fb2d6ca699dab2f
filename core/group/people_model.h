#pragma once

#include "core/base/progress.h"
#include "core/group/group.h"
#include "core/group/people_model_kernel.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

// The hierarchical model of one contrast, like that of Activation one level up. In voxel v the effect of
// person n is b_vn = e_n θ_v / κ + Σ_j N_nj ν_vj + N(0, τ²_v), where e is the column of the contrast and N
// the nuisance columns of the design, all orthonormal; the map shows it with variance s²_vn, or exactly.
// Voxels are pooled: θ_v is 0 in the share 1 − π of them and N(0, σ²) in the others; τ²_v is scaled inverse
// χ² with ν₀ degrees of freedom around t₀². π, σ², ν₀ and t₀² are also sampled.

namespace sulcus::group {

struct ContrastModel;

/// The data of the model. Everything is divided by the typical s.d. between people.
struct PeopleProblem {
  int people = 0, rests = 0;  ///< rests: columns of N
  std::int64_t voxels = 0;
  double scale = 1;    ///< κ: θ = κ × the coefficient of e
  double freedom = 0;  ///< people − rests − 1
  double unit = 1;     ///< what the maps were divided by
  /// The effect that all voxels share, and its standard error from people who differ in all voxels alike; it
  /// was subtracted from maps and estimates. In the unit of the maps.
  double shift = 0, shiftError = 0;
  std::vector<float> along;        ///< people × (1 + rests): e, then N
  PreparedMaps values, variances;  ///< s²; only with variances, else empty
  std::vector<float> estimate;     ///< of θ in each voxel by least squares; whole tiles
  std::vector<float> squares;      ///< residual sums of squares around the design
  std::vector<float> rest;         ///< estimates of ν, in tiles as PreparedMaps; only with variances
  std::vector<float> reach;        ///< the histogram of a voxel ends at ± this
  std::uint64_t seed = 1;

  std::int64_t tiles() const { return (voxels + PreparedMaps::kTile - 1) / PreparedMaps::kTile; }
  bool hasVariances() const { return !variances.values.empty(); }
};

/// Sums over all voxels after a draw, from which the shared parameters are drawn.
struct PeopleSums {
  double effects = 0;           ///< how many are not 0
  double effectSquares = 0;     ///< Σ θ²
  double logVariances = 0;      ///< Σ ln τ²
  double inverseVariances = 0;  ///< Σ 1 / τ²

  PeopleSums& operator+=(const PeopleSums& other) {
    effects += other.effects;
    effectSquares += other.effectSquares;
    logVariances += other.logVariances;
    inverseVariances += other.inverseVariances;
    return *this;
  }
};

/// What is kept of the draws of a voxel.
struct PeopleTotals {
  static constexpr int kHalf = 64;             ///< bins on each side of 0
  static constexpr int kBins = 2 * kHalf + 1;  ///< the last one: exactly 0

  std::vector<double> sum, squareSum;    ///< chains × voxels: of θ
  std::vector<double> deviationSum;      ///< of τ, over all chains
  std::vector<std::uint16_t> histogram;  ///< voxels × kBins
};

/// Draws the voxels on one processor; every implementation gives the same bits.
class PeopleSampler {
 public:
  virtual ~PeopleSampler() = default;
  /// Begins a chain with these values for each voxel (whole tiles) and the estimates of ν.
  virtual void begin(std::span<const float> effect, std::span<const float> variance) = 0;
  /// One draw of each voxel; with `isKept` it is added to the totals.
  virtual PeopleSums draw(const PeopleHyper& hyper, bool isKept) = 0;
  virtual PeopleTotals totals() = 0;
};
/// On the CPU, on all threads of the withThreads() scope.
MakePeopleSampler makePeopleSampler;

/// Memory of the model on a processor, bytes for each voxel.
constexpr double posteriorBytes(int maps) { return 8.0 * maps + 2 * PeopleTotals::kBins + 80; }

/// The bin of θ in the histogram of a voxel, which covers ± `reach` in 64 bins to each side.
SULCUS_HD inline int binOf(float effect, float reach) {
  if (effect == 0) return PeopleTotals::kBins - 1;
  constexpr int kLast = 2 * PeopleTotals::kHalf - 1;
  const int bin =
      int(::floorf(fusedMultiplyAdd(effect / reach, float(PeopleTotals::kHalf), float(PeopleTotals::kHalf))));
  if (bin < 0) return 0;
  return bin > kLast ? kLast : bin;
}

/// The posterior of the model, in the unit of the maps.
struct PeoplePosterior {
  std::vector<float> mean, deviation;  ///< of θ in each voxel
  std::vector<float> peopleDeviation;  ///< mean of τ
  std::vector<float> reach;
  std::vector<std::uint16_t> histogram;   ///< as in PeopleTotals
  int draws = 0;                          ///< kept, in all chains
  double share = 0, effectDeviation = 0;  ///< means of π and σ
  double largestRatio = 1;                ///< R̂ of the worst voxel (Gelman & Rubin 1992)
  double shareAbove = 0;                  ///< of voxels whose R̂ is above 1.05
  double shift = 0, shiftError = 0;       ///< as in PeopleProblem

  /// P(θ > γ), or P(θ < −γ) if `isBelow`, in each voxel; draws within a bin count as uniform.
  std::vector<float> exceedance(double gamma, bool isBelow) const;
  /// The value below which this share of the draws of each voxel lies.
  std::vector<float> quantile(double share) const;
};

/// The model of one contrast on these voxels of the maps.
///
/// @param mapOfRow  for each row of the design the index of its map
/// @param contrast  of one row
PeopleProblem peopleProblem(const GroupInput& input, const std::vector<std::size_t>& mapOfRow,
                            const std::vector<std::int64_t>& voxels, const ContrastModel& contrast,
                            std::uint64_t seed);

/// Samples the posterior in two chains, one started without effects and one from least squares; a quarter of
/// each is discarded.
PeoplePosterior samplePeople(MakePeopleSampler& make, const PeopleProblem& problem, int drawsOfChain,
                             const Progress& progress);

}  // namespace sulcus::group
