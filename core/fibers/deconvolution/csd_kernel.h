#pragma once

#include "core/base/host_device.h"

// Constrained spherical deconvolution of one voxel (Tournier et al., NeuroImage 35 (2007) 1459) as the convex
// problem
//   minimize over f:  |A f − s|² + ε²|f|² + Σ_r min(b_r · f, 0)²
// where f are the spherical harmonics of the fiber distribution, s the signal ratios S/S0, A the convolution
// with the response, and b_r = λ · (harmonics at direction r). The active rows are those with b_r · f < 0.
// With them fixed the problem is linear, H f = Aᵀs with H = AᵀA + ε²I + Σ_active b_r b_rᵀ. Semi-smooth Newton
// steps repeat this until the active set no longer changes. The minimizer is unique, so every backend finds
// the same one.

namespace sulcus::fibers {

inline constexpr int kCsdMaxIterations = 50;
/// After this many full Newton steps each step gets its optimal length, which excludes cycles.
inline constexpr int kCsdFullSteps = 12;
inline constexpr float kCsdNearlyFull = 0.999f;

/// The t in (0, 1] that minimizes a convex function, by bisection of its increasing derivative(t).
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
/// `Voxel` provides the linear algebra of one voxel on one backend (a thread with vector registers, a warp):
///   void evaluate()         computes the values b_r · f
///   int updateActiveSet()   active = values < 0; updates H and returns how many rows changed
///   void step()             d = H⁻¹ (Aᵀs − ε²f − AᵀA f − Σ_active (b_r · f) b_r), and the slopes b_r · d
///   float bestStep()        the t in (0, 1] at which f + t d is optimal
///   void advance(float t)   f += t d, values += t slopes
/// @return number of Newton steps
template <class Voxel>
SULCUS_HD int solveCsd(Voxel& voxel) {
  voxel.evaluate();
  bool isFull = false;  // a shorter step does not end at the solution of the linear problem
  for (int steps = 0;; ++steps) {
    const int changed = voxel.updateActiveSet();
    if ((isFull && changed == 0) || steps == kCsdMaxIterations) return steps;
    voxel.step();
    const float length = steps < kCsdFullSteps ? 1 : voxel.bestStep();
    voxel.advance(length);
    isFull = length > kCsdNearlyFull;
  }
}

}  // namespace sulcus::fibers
