#pragma once

#include "core/math/simd.h"

#include <cstdint>

// One round of the weights of lines: what both processors do for each line.

namespace sulcus::tracts {

/// Partial sums of a line, as in the lanes of a warp, added pairwise, the farthest first.
inline constexpr int kWeightLanes = 32;
inline constexpr float kLargestWeight = 1000;
/// How strongly the weights of lines that share a fixel are held together, as by SIFT2's total variation.
inline constexpr float kWeightCloseness = 0.1f;

/// Lengths are added as integers, so that their sums do not depend on the order.
inline constexpr float kUnitsOfMillimeter = 16777216.f;
SULCUS_HD_INLINE std::uint64_t unitsOfLength(float millimeters) {
  return std::uint64_t(millimeters * kUnitsOfMillimeter);
}
SULCUS_HD_INLINE float lengthOfUnits(std::uint64_t units) { return float(units) * (1 / kUnitsOfMillimeter); }

/// The fixels that lines cross, for both processors; owns nothing.
struct CrossingView {
  const std::uint64_t* first;   ///< for each line, then the total number
  const std::uint32_t* fixels;  ///< that each line crosses
  const float* lengths;         ///< of the line in them, mm
  const float* wanted;          ///< for each fixel the length of lines that it needs, mm; < 0: ignored
  const float* whole;           ///< for each fixel the length of all its lines, mm
};

/// Sums over the fixels of a line.
struct WeightSums {
  float wanted = 0, filled = 0, mean = 0;

  SULCUS_HD_INLINE void add(const CrossingView& view, const std::uint64_t* filledOf, std::uint64_t entry) {
    const std::uint32_t fixel = view.fixels[entry];
    const float target = view.wanted[fixel], length = view.lengths[entry];
    if (target < 0) return;
    const float now = lengthOfUnits(filledOf[fixel]);
    wanted = fusedMultiplyAdd(length, target, wanted);
    filled = fusedMultiplyAdd(length, now, filled);
    mean = fusedMultiplyAdd(length * target, now / view.whole[fixel], mean);
  }
};

/// The next weight of a line.
///
/// Let D_f be the length that fixel f needs, T_f = Σ w_s l_sf the length of its lines, and m_f the mean of
/// their weights. Σ_f (T_f − D_f)² + λ Σ_s Σ_f l_sf D_f (w_s − m_f)² is decreased by minimizing, line by
/// line, an upper bound that touches it at the present weights w: w' = w (Σ l D + λ Σ l D m) / (Σ l T + λ w Σ
/// l D). The fit is that of Smith et al., NeuroImage 119 (2015) 338; the bound that of Lee & Seung, NIPS 13
/// (2001) 556.
SULCUS_HD_INLINE float nextWeight(float weight, const WeightSums& sums) {
  const float below = fusedMultiplyAdd(kWeightCloseness * weight, sums.wanted, sums.filled);
  if (!(below > 0)) return weight;
  const float next = weight * fusedMultiplyAdd(kWeightCloseness, sums.mean, sums.wanted) / below;
  return next < kLargestWeight ? next : kLargestWeight;
}

}  // namespace sulcus::tracts
