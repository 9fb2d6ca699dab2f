#pragma once

#include "core/base/options.h"
#include "core/image/volume.h"
#include "core/preparation/motion_parameters.h"

#include <memory>
#include <vector>

namespace sulcus::phantom {

/// Parameters of the phantom of a head that moves.
struct PreparationPhantomOptions {
  int volumes = 24;
  double walk = 2;
  double noise = 1;
  int seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(volumes, numberOption("volumes", "Volumes", "", {4, 2000, 4}, "Two seconds each."));
    visit(walk, numberOption("walk", "Walk", "mm", {0, 20, 0.5},
                             "How far the head walks away, at most, and by about as many degrees."));
    visit(noise, numberOption("noise", "Noise", "%", {0, 20, 0.5}, "Standard deviation, of white matter."));
    visit(seed, numberOption("seed", "Seed", "", {0, 2147483647, 1}, "Of the walk and the noise."));
  }
};

/// A functional scan of a head that moves, with activation of 2 %.
struct PreparationPhantom {
  std::shared_ptr<const Series<float>> bold;
  double secondsPerVolume = 2;
  std::vector<preparation::Motion> motion;  ///< the truth, one for each volume
};

PreparationPhantom makePreparationPhantom(const PreparationPhantomOptions& options);

}  // namespace sulcus::phantom
