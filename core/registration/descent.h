#pragma once

#include "core/registration/registration.h"
#include "core/registration/registration_body.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sulcus {

/// Energies of a displacement, means over the voxels of the level.
struct LevelEnergy {
  double similarity = 0, bias = 0;
  double smallestJ = 1;
  double refused = 0;  ///< share of voxels whose volume vanishes, see keepsVolume()
  bool positive() const { return refused == 0; }
  double total(double lambda) const { return similarity + lambda * bias; }
};

/// Of the largest step allowed: when no longer step lowers the energy, the level is at its end.
inline constexpr double kSmallestStep = 1.0 / 512;
/// A smallest J below this is at its end. Above it a step that makes a voxel vanish is too long, and is
/// halved.
inline constexpr double kNearSmallestJ = 2 * kSmallestJ;
/// No more than this share of the voxels is held back where it would vanish; more need a shorter step.
inline constexpr double kFewRefused = 1e-3;
/// So often in one step, which may press others to the smallest volume.
inline constexpr int kHolds = 4;
/// The energy's fall is averaged over this many iterations: a few short steps are not the end.
inline constexpr int kFallWindow = 10;

/// Descends in one level: the step control and stop rule that CPU and GPU share.
///
/// `Level` has start() → energies of the current u; velocity(m) → v = m v + G_σ * force of the u whose
/// energies were computed last, returns the largest |v| in voxels; attempt(dt) → energies of u moved by dt v;
/// hold() → v smaller around the voxels that this would make vanish, see holdBack(); accept() → makes the
/// last attempt the current u. `report(iteration)` is called after each. A few voxels at the smallest volume
/// are held and the others go on; the paper's force knows shorter steps only, as published.
template <class Level, class Report>
void descend(Level& level, int index, int iterations, const RegistrationOptions& options,
             const Report& report) {
  const auto total = [&](const LevelEnergy& e) { return e.total(options.lambda); };
  LevelEnergy current = level.start();
  std::vector<double> totals{total(current)};
  report(RegistrationIteration{index, 0, current.similarity, current.bias, totals.back(), current.smallestJ,
                               0, 0, 0});
  double last = options.maxStep;
  for (int i = 1; i <= iterations; ++i) {
    double momentum = i > 1 ? options.momentum : 0;
    double speed = level.velocity(momentum);
    double step = std::min(options.maxStep, 2 * last);
    LevelEnergy trial;
    const bool holds = options.force != RegistrationForce::paper && current.smallestJ < kNearSmallestJ;
    int retries = 0, held = 0;
    for (;; ++retries) {
      if (!(speed > 0) || !std::isfinite(speed) || step < kSmallestStep * options.maxStep) return;
      trial = level.attempt(step / speed);
      for (int round = 0; holds && round < kHolds && !trial.positive() && trial.refused <= kFewRefused;
           ++round, ++held) {
        level.hold();
        trial = level.attempt(step / speed);
      }
      if (trial.positive() && total(trial) < totals.back()) break;
      if (momentum > 0) {  // it led too far: the force alone decides, which has to be computed again
        level.start();
        momentum = 0, speed = level.velocity(0), step = last;
      } else {
        step /= 2;
      }
    }
    level.accept();
    current = trial, last = step;
    totals.push_back(total(current));
    report(RegistrationIteration{index, i, current.similarity, current.bias, totals.back(), current.smallestJ,
                                 step, retries, held});
    if (i >= kFallWindow) {
      const double before = totals[totals.size() - 1 - kFallWindow];
      if (before - totals.back() < options.tolerance * kFallWindow * before) return;
    }
  }
}

}  // namespace sulcus
