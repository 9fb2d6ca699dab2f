#pragma once

#include "core/base/host_device.h"

// The multi-tissue deconvolution of one voxel (tissues.h) as a convex problem:
//   minimize over y:  |y − y₀|²/2  under p_r · y ≥ 0 for all conditions r
// Its minimizer is where y = y₀ + Σ u_r p_r, s_r = p_r · y, s_r ≥ 0, u_r ≥ 0 and s_r u_r = 0 (Karush, Kuhn,
// Tucker). An interior-point method keeps all s_r and u_r positive and takes Newton steps towards s_r u_r =
// target with a target that decreases to 0. Each step is computed twice, first with target 0 to see how far
// it leads, then with the target and the second-order terms that follow from it (Mehrotra, SIAM J. Optim. 2
// (1992) 575). With w_r = u_r/s_r both solve (I + Σ w_r p_r p_rᵀ) d = … with the same matrix. About 15 steps
// lead to the minimizer for any voxel; nearly dependent conditions do no harm, since no active set is chosen.

namespace sulcus::fibers {

inline constexpr int kTissueMostSteps = 60;
/// The iteration ends when no s_r − p_r · y and no min(s_r, u_r) is further from 0 than this, relative to
/// |y₀|.
inline constexpr double kTissueTolerance = 1e-8;
/// Lower limit of all s_r and u_r, relative to |y₀|: the weights of the conditions then do not span more
/// digits than the matrix can hold.
inline constexpr double kTissueLeast = 1e-10;
/// Initial value of all s_r and u_r, relative to |y₀|.
inline constexpr double kTissueStart = 0.05;
/// The longest step, relative to that at which the first s_r or u_r would become 0.
inline constexpr double kTissueReach = 0.999;

/// The variables of one condition.
struct TissueCondition {
  double slack, multiplier;          ///< s_r, u_r
  double misfit;                     ///< p_r · y − s_r
  double slackStep, multiplierStep;  ///< their change in a full step

  SULCUS_HD double weight() const { return multiplier / slack; }
};

/// The full step towards slack · multiplier = target, corrected by the step stored in the conditions.
template <class Voxel>
SULCUS_HD void findTissueStep(Voxel& voxel, double target) {
  voxel.forEach(
      [=](TissueCondition& c) {  // multiplierStep is used below, where it gets the meaning of its name
        c.multiplierStep = (target - c.slackStep * c.multiplierStep) / c.slack;
      });
  voxel.solve([](const TissueCondition& c) { return c.multiplierStep - c.weight() * c.misfit; },
              [](TissueCondition& c, double product) {
                c.slackStep = product + c.misfit;
                c.multiplierStep -= c.multiplier + c.weight() * c.slackStep;
              });
}

/// The fraction of the step, at most 1, that keeps every slack and multiplier positive.
template <class Voxel>
SULCUS_HD double tissueReach(const Voxel& voxel) {
  const double fastest = voxel.largest([](const TissueCondition& c) {
    const double slack = -c.slackStep / c.slack, multiplier = -c.multiplierStep / c.multiplier;
    return slack > multiplier ? slack : multiplier;
  });
  return fastest > kTissueReach ? kTissueReach / fastest : 1;
}

/// Σ slack · multiplier after a fraction t of the step.
template <class Voxel>
SULCUS_HD double tissueGap(const Voxel& voxel, double t) {
  return voxel.sum([t](const TissueCondition& c) {
    return (c.slack + t * c.slackStep) * (c.multiplier + t * c.multiplierStep);
  });
}

/// Solves one voxel, which holds y₀ and y = 0.
///
/// `Voxel` provides the conditions and the linear algebra of one voxel on one backend (a thread, a warp):
///   double length()             |y₀|
///   void forEach(change)        change(condition)
///   double sum(of), largest(of) of(condition) over all conditions; largest() is not below 0
///   void factor()               I + Σ weight() p_r p_rᵀ = L Lᵀ
///   void solve(right, take)     d = (L Lᵀ)⁻¹ (y₀ − y + Σ right(condition) p_r),
///                               then take(condition, p_r · d)
///   void advance(t)             y += t d
/// @return number of steps
template <class Voxel>
SULCUS_HD int solveTissueVoxel(Voxel& voxel) {
  const double length = voxel.length(), least = kTissueLeast * length;
  voxel.forEach([=](TissueCondition& c) {
    c.slack = c.multiplier = kTissueStart * length;
    c.misfit = -c.slack;
  });
  int steps = 0;
  for (; steps < kTissueMostSteps; ++steps) {
    const double error = voxel.largest([](const TissueCondition& c) {
      const double open = c.slack < c.multiplier ? c.slack : c.multiplier;
      const double misfit = c.misfit < 0 ? -c.misfit : c.misfit;
      return open > misfit ? open : misfit;
    });
    if (!(error > kTissueTolerance * length)) break;

    voxel.factor();
    voxel.forEach([](TissueCondition& c) { c.slackStep = c.multiplierStep = 0; });
    const double gap = tissueGap(voxel, 0);
    findTissueStep(voxel, 0);
    const double share = tissueGap(voxel, tissueReach(voxel)) / gap;
    findTissueStep(voxel, share * share * share * gap / Voxel::kConditions);

    const double t = tissueReach(voxel);
    voxel.advance(t);
    voxel.forEach([t, least](TissueCondition& c) {
      const double slack = c.slack + t * c.slackStep, multiplier = c.multiplier + t * c.multiplierStep;
      c.slack = slack > least ? slack : least;
      c.multiplier = multiplier > least ? multiplier : least;
      c.misfit = (1 - t) * c.misfit - (c.slack - slack);
    });
  }
  return steps;
}

}  // namespace sulcus::fibers
