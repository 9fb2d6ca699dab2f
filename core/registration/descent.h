#pragma once

#include "core/registration/registration.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sulcus {

/// Energies of a displacement, means over the voxels of the level.
struct LevelEnergy {
  double similarity = 0, bias = 0;
  double smallestJ = 1;
  bool positive = true;  ///< every J is above kSmallestJ; false also where one is not a number
  double total(double lambda) const { return similarity + lambda * bias; }
};

/// Steps that make a voxel's volume smaller than this share of its own are refused: log J and 1/J stay tame.
inline constexpr double kSmallestJ = 1e-2;
/// Of the largest step allowed: when no longer step lowers the energy, the level is at its end.
inline constexpr double kSmallestStep = 1.0 / 512;
/// The energy's fall is averaged over this many iterations.
inline constexpr int kFallWindow = 5;

/// Descends in one level: the step control and stop rule that CPU and GPU share.
///
/// `Level` has start() → energies of the u it was made with; velocity() → computes v of the current u,
/// returns the largest |v| in voxels; attempt(dt) → energies of u moved by dt v; accept() → makes that the
/// current u. `report(iteration)` is called after each.
template <class Level, class Report>
void descend(Level& level, int index, int iterations, const RegistrationOptions& options,
             const Report& report) {
  LevelEnergy current = level.start();
  std::vector<double> totals{current.total(options.lambda)};
  report(RegistrationIteration{index, 0, current.similarity, current.bias, totals.back(), current.smallestJ});
  double last = options.maxStep;
  for (int i = 1; i <= iterations; ++i) {
    const double speed = level.velocity();
    if (!(speed > 0) || !std::isfinite(speed)) return;
    double step = std::min(options.maxStep, 2 * last);
    LevelEnergy trial;
    int retries = 0;
    for (;; step /= 2, ++retries) {
      if (step < kSmallestStep * options.maxStep) return;
      trial = level.attempt(step / speed);
      if (trial.positive && trial.total(options.lambda) < totals.back()) break;
    }
    level.accept();
    current = trial, last = step;
    totals.push_back(current.total(options.lambda));
    report(RegistrationIteration{index, i, current.similarity, current.bias, totals.back(), current.smallestJ,
                                 step, retries});
    if (i >= kFallWindow) {
      const double before = totals[totals.size() - 1 - kFallWindow];
      if (before - totals.back() < options.tolerance * kFallWindow * before) return;
    }
  }
}

}  // namespace sulcus
