#pragma once

#include "core/base/options.h"
#include "core/image/volume.h"

#include <memory>
#include <string>
#include <vector>

namespace sulcus::phantom {

/// Parameters of the group phantom.
struct GroupPhantomOptions {
  int people = 24;
  int size = 32;
  double effect = 2;
  double smoothness = 2;
  int seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(people,
          numberOption("people", "People", "", {4, 1000, 2}, "Half of them patients, half controls."));
    visit(size, numberOption("size", "Size", "voxels", {16, 128, 8}, "Voxels of 3 mm along each axis."));
    visit(effect,
          numberOption("effect", "Difference", "s.d.", {0, 10, 0.25},
                       "Patients minus controls in two balls, in standard deviations across people."));
    visit(smoothness, numberOption("smoothness", "Smoothness", "voxels", {0, 6, 0.5},
                                   "Standard deviation of the smoothing of each map's noise."));
    visit(seed, numberOption("seed", "Seed", "", {0, 2147483647, 1}, "Seed of the noise."));
  }
};

/// Maps of people in a ball-shaped brain: values are normal with s.d. 1 across people; age has no effect.
struct GroupPhantom {
  std::vector<std::shared_ptr<const Series<float>>> maps;
  std::vector<std::string> names;    ///< sub-01, …
  std::vector<std::string> columns;  ///< participant_id, group, age
  std::vector<std::vector<std::string>> rows;
  std::shared_ptr<const Mask> mask;   ///< the brain
  std::shared_ptr<const Mask> truth;  ///< where the groups differ
};

GroupPhantom makeGroupPhantom(const GroupPhantomOptions& options);

}  // namespace sulcus::phantom
