#pragma once

#include "core/base/host_device.h"

// Constrained spherical deconvolution of one voxel (Tournier et al., NeuroImage 35 (2007) 1459) as the convex
// problem
//   minimize over f:  |A f − s|² + ε²|f|² + Σ_r min(b_r · f, 0)²
// where f are the spherical harmonics of the fiber distribution, s the signal ratios S/S0, A the convolution
// with the response, and b_r = λ · (harmonics at direction r). The active rows are those with b_r · f < 0.
// With them fixed the problem is linear, H f = Aᵀs with H = AᵀA + ε²I + Σ_active b_r b_rᵀ. Semi-smooth Newton
// steps repeat this until the active set does not change. The minimizer is unique, so every backend finds the
// same one.
//
// With other tissues beside the fibers the conditions b_r · f ≥ 0 are exact. Rounds of an augmented
// Lagrangian reach that: each minimizes the same with min(b_r · f − u_r, 0)², and then u_r becomes max(u_r −
// b_r · f, 0). All u_r ≥ 0, and after a round the gradient of |A f − s|² + ε²|f|² is 2 Σ u_r b_r; so f is the
// minimizer once no min(b_r · f, u_r) differs from 0 (Karush, Kuhn, Tucker).

namespace sulcus::fibers {

inline constexpr int kCsdMaxIterations = 50;
/// After so many full Newton steps each step gets its best length, which excludes cycles.
inline constexpr int kCsdFullSteps = 12;
inline constexpr float kCsdNearlyFull = 0.999f;
inline constexpr int kCsdMaxRounds = 100;
/// The rounds end where no min(b_r · f, u_r) is further from 0.
inline constexpr double kCsdRoundTolerance = 3e-8;

/// The t in (0, 1] that minimizes a convex function, by bisection of its derivative(t), which increases.
template <class Real, class Derivative>
SULCUS_HD Real bestCsdStep(const Derivative& derivative) {
  if (derivative(Real(1)) <= 0) return 1;
  Real low = 0, high = 1;
  for (int i = 0; i < 20; ++i) {
    const Real middle = Real(0.5) * (low + high);
    (derivative(middle) <= 0 ? low : high) = middle;
  }
  return high;
}

/// The Newton steps for the u_r that `voxel` holds, the first ones in full length.
template <class Voxel>
SULCUS_HD int solveCsdRound(Voxel& voxel, int fullSteps) {
  bool isFull = false;  // a shorter step does not end where the linear problem does
  for (int steps = 0;; ++steps) {
    const int changed = voxel.updateActiveSet();
    if ((isFull && changed == 0) || steps == kCsdMaxIterations) return steps;
    voxel.step();
    const auto length = steps < fullSteps ? 1 : voxel.bestStep();
    voxel.advance(length);
    isFull = length > kCsdNearlyFull;
  }
}

/// Solves one voxel, starting from the f that `voxel` holds.
///
/// `Voxel` is the linear algebra of one voxel on one backend (a thread with vector registers, a warp). Its
/// values are b_r · f − u_r, with u_r = 0 at first:
///   void evaluate()         computes the values
///   int updateActiveSet()   active = values < 0; updates H and returns how many rows changed
///   void step()             d = H⁻¹ (Aᵀs − ε²f − AᵀA f − Σ_active value_r b_r), and the slopes b_r · d
///   Real bestStep()         the t in (0, 1] at which f + t d is best
///   void advance(Real t)    f += t d, values += t slopes
/// @return number of Newton steps
template <class Voxel>
SULCUS_HD int solveCsd(Voxel& voxel) {
  voxel.evaluate();
  return solveCsdRound(voxel, kCsdFullSteps);
}

/// The same under exact conditions.
///
/// Of `Voxel` it needs, too:
///   Real updateMultipliers()  u_r = max(−value_r, 0), and the values with them; the largest |min(b_r · f,
///   u_r)|
template <class Voxel>
SULCUS_HD int solveExactCsd(Voxel& voxel) {
  voxel.evaluate();
  int steps = 0;
  for (int round = 0; round < kCsdMaxRounds; ++round) {
    steps += solveCsdRound(voxel, 0);
    if (voxel.updateMultipliers() <= kCsdRoundTolerance) break;
  }
  return steps;
}

}  // namespace sulcus::fibers
