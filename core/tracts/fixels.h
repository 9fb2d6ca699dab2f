#pragma once

#include "core/base/progress.h"
#include "core/tracts/tract_plan.h"

#include <cstdint>
#include <vector>

namespace sulcus::tracts {

/// The fiber populations of each voxel: the lobes of its function, or its peaks.
struct Fixels {
  std::vector<std::uint32_t> first;     ///< of the fixels of each row of the plan; then their number
  std::vector<Vec3<float>> directions;  ///< of length 1, world axes
  std::vector<float> densities;         ///< the integral over a lobe, or the amplitude of a peak
};

/// A lobe is the set of directions from which the steepest ascent leads to the same maximum (Smith et al.,
/// NeuroImage 67 (2013) 298); lobes whose maximum is below the cut-off of the plan are ignored.
Fixels fixelsOf(const TractPlan& plan, const Progress& progress = {});

}  // namespace sulcus::tracts
