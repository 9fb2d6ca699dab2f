#pragma once

#include "core/base/host_device.h"

// Constrained spherical deconvolution of one voxel (Tournier et al., NeuroImage 35 (2007) 1459) as the convex
// problem
//   minimize over f:  |A f − s|² + ε²|f|² + Σ_r min(b_r · f, 0)²
// with A the convolution with the response and b_r = λ·harmonics at one of many directions. The active rows
// are those with b_r · f < 0; with them fixed the problem is linear, H f = Aᵀs, H = AᵀA + ε²I + Σ_active b_r
// b_rᵀ. Semi-smooth Newton repeats that until the active set stays: the minimiser is unique, so every machine
// finds the same one.

namespace sulcus {

inline constexpr int kCsdMaxIterations = 50;
/// Full Newton steps taken before each step is searched for its best length, which cannot cycle.
inline constexpr int kCsdFullSteps = 12;

/// The t in (0, 1] at which a convex function of t is smallest; `derivative(t)`, which grows, is bisected.
template <class Derivative>
SULCUS_HD float bestCsdStep(const Derivative& derivative) {
  if (derivative(1.0f) <= 0) return 1;
  float low = 0, high = 1;
  for (int i = 0; i < 20; ++i) {
    const float middle = 0.5f * (low + high);
    (derivative(middle) <= 0 ? low : high) = middle;
  }
  return high;
}

/// Solves one voxel, starting from the f that `voxel` holds.
///
/// `Voxel` is the linear algebra of one voxel on one machine (a thread with vector registers, a warp):
///   void evaluate()              values r: b_r · f
///   int updateActiveSet()        active = values < 0, H follows; returns how many rows changed
///   void step()                  d = H⁻¹ (Aᵀs − ε²f − AᵀA f − Σ_active (b_r · f) b_r), slopes r: b_r · d
///   float bestStep()             t in (0, 1] at which f + t d is best
///   void advance(float t)        f += t d, values += t slopes
/// @return Newton steps taken
template <class Voxel>
SULCUS_HD int solveCsd(Voxel& voxel) {
  voxel.evaluate();
  for (int steps = 0;; ++steps) {
    const int changed = voxel.updateActiveSet();
    if ((steps > 0 && changed == 0) || steps == kCsdMaxIterations) return steps;
    voxel.step();
    voxel.advance(steps < kCsdFullSteps ? 1.0f : voxel.bestStep());
  }
}

}  // namespace sulcus
