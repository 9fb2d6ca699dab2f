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

/// Whether a volume must not vanish at any corner of a voxel, see smallestCornerJ(), so that no cell folds.
/// With the paper's force J by central differences must not, as published.
inline bool guardsCorners(const RegistrationOptions& options) {
  return options.force != RegistrationForce::paper;
}

/// What is known of a displacement under which the volume of a share of the voxels vanishes: it is refused.
inline LevelEnergy vanishing(double share) {
  LevelEnergy energy;
  energy.vanishing = share;
  return energy;
}

/// The shortest step, as a share of the longest one allowed. When no longer step lowers the energy, the level
/// has converged.
inline constexpr double kSmallestStep = 1.0 / 512;
/// The largest share of vanishing voxels around which the velocity is held back; when there are more, the
/// step is halved.
inline constexpr double kFewVanishing = 1e-3;
/// How often one step holds velocities back, since each time may make other voxels vanish.
inline constexpr int kMostHolds = 4;
/// After so many halvings of one step the force is computed again and followed without momentum.
inline constexpr int kMostHalvings = 3;
/// The fall of the energy is averaged over this many iterations, so that a few short steps do not end a
/// level.
inline constexpr int kFallWindow = 10;

/// The share of the energy by which it must fall an iteration, so that the level goes on. By local
/// correlation there is always something left to gain: it falls by some thousandths an iteration where only
/// noise is fitted, and what is true of a warp is found before.
inline double leastFall(const RegistrationOptions& options) {
  return (options.similarity == Similarity::lcc ? 20 : 1) * options.tolerance;
}

/// The direction of an iteration.
struct Direction {
  double speed = 0;  ///< largest |v|, voxels
  double slope = 0;  ///< ∂E/∂t at the current u, along the velocity that led to it
};

/// How much longer than the last one the next step should be: the lowest point of the parabola through the
/// energies before and after the last one that has the slope after it, as a share of that step. It changes by
/// a quarter at most, since the velocity that follows is another.
///
/// @param slope  after the step, times its length
inline double stepGrowth(double before, double after, double slope) {
  constexpr double kLeast = 0.75, kMost = 1.25;
  const double curvature = before - after + slope;  // half of the second derivative
  if (!(curvature > 0)) return kMost;
  // Rounded, since the sums that CPU and GPU make differ in their last digits.
  return std::clamp(std::round(16 * (1 - 0.5 * slope / curvature)) / 16, kLeast, kMost);
}

/// Descends in one level. This is the step control and stop rule that CPU and GPU share.
///
/// `Level` has
///   start()      gives the energies of the current u
///   velocity(m)  makes v = m v + G_σ * force of the last u whose energies were computed, without m v where v
///                leads uphill there, so that the energy falls along v
///   attempt(dt)  gives the energies of u moved by dt v; where corners are guarded and volumes vanish, only
///                their share, which takes a tenth of the time
///   hold()       makes v smaller around the voxels that the last attempt made vanish, see
///   guardAgainstFolds() accept()     makes the last attempt the current u
/// `report(iteration)` is called after each iteration. When a few voxels are at the smallest volume they are
/// held back and the others go on; with the paper's force only the step is shortened, as published.
template <class Level, class Report>
void descend(Level& level, int index, int iterations, const RegistrationOptions& options,
             const Report& report) {
  const auto total = [&](const LevelEnergy& e) { return e.total(options.lambda); };
  LevelEnergy current = level.start();
  std::vector<double> totals{total(current)};
  report(RegistrationIteration{index, 0, current.similarity, current.bias, totals.back(), current.smallestJ,
                               0, 0, 0, current.landmarks});
  const bool published = options.force == RegistrationForce::paper;
  double step = 0, time = 0;  // of the last iteration
  for (int i = 1; i <= iterations; ++i) {
    const Direction direction = level.velocity(options.momentum);
    double speed = direction.speed, longest = options.maxStep;
    if (i > 1)
      longest = published ? 2 * step
                          : time * speed *
                                stepGrowth(totals[totals.size() - 2], totals.back(), time * direction.slope);
    longest = std::min(options.maxStep, longest);
    step = longest;
    LevelEnergy trial;
    int retries = 0, held = 0;
    for (;;) {
      if (!(speed > 0) || !std::isfinite(speed) || step < kSmallestStep * options.maxStep) return;
      trial = level.attempt(step / speed);
      for (int round = 0;
           !published && round < kMostHolds && !trial.positive() && trial.vanishing <= kFewVanishing;
           ++round, ++held) {
        level.hold();
        trial = level.attempt(step / speed);
      }
      if (trial.positive() && total(trial) < totals.back()) break;
      step /= 2;
      if (++retries == kMostHalvings && !published) {  // the momentum leads nowhere
        level.start();
        speed = level.velocity(0).speed;
        step = longest;
      }
    }
    level.accept();
    current = trial, time = step / speed;
    totals.push_back(total(current));
    report(RegistrationIteration{index, i, current.similarity, current.bias, totals.back(), current.smallestJ,
                                 step, retries, held, current.landmarks});
    if (i >= kFallWindow) {
      const double before = totals[totals.size() - 1 - kFallWindow];
      if (before - totals.back() < leastFall(options) * kFallWindow * before) return;
    }
  }
}

}  // namespace sulcus::registration
