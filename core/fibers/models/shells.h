#pragma once

#include "core/image/diffusion/gradients.h"

#include <span>
#include <string>
#include <vector>

namespace sulcus::fibers {

struct FiberOptions;

/// A shell: the volumes with one diffusion weighting.
struct Shell {
  double b = 0;              ///< mean b-value, s/mm²
  std::vector<int> volumes;  ///< their indices, ascending
};

/// Volumes grouped by b-value, in ascending order. b-values belong to the same shell as long as the gap to
/// the next one is at most 100 s/mm² or 2 %, whichever is larger, because scanners vary them slightly from
/// direction to direction. A group wider than 200 s/mm² and 10 % is a series of b-values and is split at gaps
/// of more than 20 s/mm², but parts of fewer than three volumes are joined up to 100 s/mm² or 10 %.
std::vector<Shell> shells(const GradientTable& table, std::span<const int> volumes);

/// The shells of the weighted volumes.
std::vector<Shell> shells(const GradientTable& table);

/// The volumes of a diffusion series that a run may use.
struct ScanVolumes {
  std::vector<int> unweighted, weighted;
  std::vector<Shell> shells;  ///< of the weighted ones
  double baseline = 0;        ///< b of the unweighted volumes if they have some weighting, else 0
  std::string note;           ///< which volumes were left out or counted as b = 0 by the options; "" if none
};

/// The volumes of the requested shells, without those in dropVolumes, split at b0Threshold.
///
/// @throws Error  (usage) for texts that are not numbers, and for volumes and shells that the scan does not
///                have
ScanVolumes scanVolumes(const GradientTable& table, const FiberOptions& options);

/// Whether b-values are multiples of the smallest one, as those of points on a Cartesian grid (DSI).
bool areOnGrid(std::span<const Shell> shells);

}  // namespace sulcus::fibers
