#pragma once

#include "core/image/gradients.h"

#include <vector>

namespace sulcus::app {

/// The directions measured with one diffusion weighting.
struct Shell {
  double b = 0;  ///< mean b-value, s/mm²
  int directions = 0;
};

/// Weighted volumes grouped by b-value, smallest first. b-values belong together while the gap to the next
/// one is at most 100 s/mm², since scanners vary them slightly from direction to direction.
std::vector<Shell> shells(const GradientTable& table);

}  // namespace sulcus::app
