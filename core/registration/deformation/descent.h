#pragma once

#include "core/registration/deformation/registration_kernel.h"
#include "core/registration/registration.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sulcus::registration {

/// The energies of a displacement, means over the voxels of the level.
struct LevelEnergy {
  double similarity = 0, bias = 0;
  double smallestJ = 1;  ///< by central differences at the voxels
  double vanishing = 0;  ///< share of the voxels whose volume vanishes, see guardsCorners()
  double landmarks = 0;  ///< weighted, see landmarkEnergy()
  bool positive() const { return vanishing == 0; }
  double total(double lambda) const { return similarity + lambda * bias + landmarks; }
};

/// Whether the volume must not vanish at any corner of a voxel, see smallestCornerJ(), so that no cell folds.
/// With the paper's force, only J by central differences must not vanish, as published.
inline bool guardsCorners(const RegistrationOptions& options) {
  return options.force != RegistrationForce::paper;
}

/// The energy of a displacement under which the volume of a share of the voxels vanishes: the displacement is
/// rejected.
inline LevelEnergy vanishing(double share) {
  LevelEnergy energy;
  energy.vanishing = share;
  return energy;
}

/// The shortest step, as a share of the longest one allowed. If no step of at least this length lowers the
/// energy, the level has converged.
inline constexpr double kSmallestStep = 1.0 / 512;
/// The largest share of vanishing voxels for which the velocity is held back around them; if there are more,
/// the step is halved.
inline constexpr double kFewVanishing = 1e-3;
/// How often one step may hold velocities back, since each time may make other voxels vanish.
inline constexpr int kMostHolds = 4;
/// After this many halvings of one step, the force is recomputed and followed without momentum.
inline constexpr int kMostHalvings = 3;
/// The decrease of the energy is averaged over this many iterations, so that a few short steps do not end a
/// level.
inline constexpr int kFallWindow = 10;

/// The relative decrease of the energy per iteration below which the level ends. With local correlation there
/// is always something left to gain: the energy decreases by a few thousandths per iteration while only noise
/// is being fitted, and the true part of a deformation is found before.
inline double leastFall(const RegistrationOptions& options) {
  return (options.similarity == Similarity::lcc ? 20 : 1) * options.tolerance;
}

/// The direction of an iteration.
struct Direction {
  double speed = 0;  ///< largest |v|, voxels
  double slope = 0;  ///< ∂E/∂t at the current u, along the velocity that led to it
};

/// By what factor the next step should be longer than the last one: the position, relative to that step, of
/// the minimum of the parabola through the energies before and after it with the slope after it. It changes
/// by a quarter at most, since the next velocity is different.
///
/// @param slope  after the step, times its length
inline double stepGrowth(double before, double after, double slope) {
  constexpr double kLeast = 0.75, kMost = 1.25;
  const double curvature = before - after + slope;  // half of the second derivative
  if (!(curvature > 0)) return kMost;
  // Rounded, since the sums on CPU and GPU differ in their last digits.
  return std::clamp(std::round(16 * (1 - 0.5 * slope / curvature)) / 16, kLeast, kMost);
}

/// A step that was taken.
struct TakenStep {
  double length = 0;  ///< of the voxel that moves furthest, voxels
  double time = 0;    ///< how long the velocity was followed
};

/// The length of the next step, if it need not be shortened.
///
/// @param totals  the energy at the start and after each iteration
inline double nextStep(const TakenStep& last, const Direction& next, const std::vector<double>& totals,
                       const RegistrationOptions& options) {
  if (totals.size() < 2) return options.maxStep;
  if (options.force == RegistrationForce::paper) return std::min(options.maxStep, 2 * last.length);
  const double growth = stepGrowth(totals[totals.size() - 2], totals.back(), last.time * next.slope);
  return std::min(options.maxStep, last.time * next.speed * growth);
}

/// Whether the energy decreased too little over the last iterations to go on.
///
/// @param totals  the energy at the start and after each iteration
inline bool hasSettled(const std::vector<double>& totals, const RegistrationOptions& options) {
  if (totals.size() <= std::size_t(kFallWindow)) return false;
  const double before = totals[totals.size() - 1 - kFallWindow];
  return before - totals.back() < leastFall(options) * kFallWindow * before;
}

/// Attempts a step and, as long as few voxels vanish under it, holds these back and attempts it again.
///
/// @param held  the number of times is added to it
template <class Level>
LevelEnergy attemptHolding(Level& level, double dt, int& held) {
  LevelEnergy trial = level.attempt(dt);
  for (int round = 0; round < kMostHolds && !trial.positive() && trial.vanishing <= kFewVanishing; ++round) {
    level.hold();
    ++held;
    trial = level.attempt(dt);
  }
  return trial;
}

/// Descends in one level. The step control and the stopping rule are shared by CPU and GPU.
///
/// `Level` has
///   start()      gives the energies of the current u
///   velocity(m)  sets v = m v + G_σ * force of the last u whose energies were computed, without m v where v
///                leads uphill, so that the energy decreases along v
///   attempt(dt)  gives the energies of u moved by dt v; if corners are guarded and volumes vanish, only
///                their share, which takes a tenth of the time
///   hold()       reduces v around the voxels that the last attempt made vanish, see guardAgainstFolds()
///   accept()     makes the last attempt the current u
/// `report(iteration)` is called after each iteration. If a few voxels reach the smallest volume, they are
/// held back and the others go on; with the paper's force only the step is shortened, as published.
template <class Level, class Report>
void descend(Level& level, int index, int iterations, const RegistrationOptions& options,
             const Report& report) {
  const auto total = [&](const LevelEnergy& e) { return e.total(options.lambda); };
  std::vector<double> totals;
  const auto keep = [&](const LevelEnergy& energy, double step, int retries, int held) {
    const int iteration = int(totals.size());
    totals.push_back(total(energy));
    report(RegistrationIteration{index, iteration, energy.similarity, energy.bias, totals.back(),
                                 energy.smallestJ, step, retries, held, energy.landmarks});
  };
  keep(level.start(), 0, 0, 0);
  const bool published = options.force == RegistrationForce::paper;
  TakenStep last;
  for (int i = 1; i <= iterations; ++i) {
    const Direction direction = level.velocity(options.momentum);
    const double longest = nextStep(last, direction, totals, options);
    double speed = direction.speed, step = longest;
    LevelEnergy trial;
    int retries = 0, held = 0;
    for (;;) {
      if (!(speed > 0) || !std::isfinite(speed) || step < kSmallestStep * options.maxStep) return;
      trial = published ? level.attempt(step / speed) : attemptHolding(level, step / speed, held);
      if (trial.positive() && total(trial) < totals.back()) break;
      step /= 2;
      if (++retries == kMostHalvings && !published) {  // the momentum leads nowhere
        level.start();
        speed = level.velocity(0).speed;
        step = longest;
      }
    }
    level.accept();
    last = {step, step / speed};
    keep(trial, step, retries, held);
    if (hasSettled(totals, options)) return;
  }
}

}  // namespace sulcus::registration
