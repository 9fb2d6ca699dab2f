#pragma once

#include "core/image/gradients.h"

#include <vector>

namespace sulcus::fibers {

/// A shell: the volumes with one diffusion weighting.
struct Shell {
  double b = 0;        ///< mean b-value, s/mm²
  int directions = 0;  ///< number of volumes
};

/// The weighted volumes grouped by b-value, the smallest first. b-values belong to the same shell while the
/// gap to the next one is at most 100 s/mm², because scanners vary them slightly from direction to direction.
std::vector<Shell> shells(const GradientTable& table);

}  // namespace sulcus::fibers
