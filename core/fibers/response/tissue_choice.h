#pragma once

#include "core/base/progress.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/fiber_plan.h"

#include <vector>

namespace sulcus::fibers {

/// Finds what a multi-tissue deconvolution needs the values of the scan for: the responses, given or
/// estimated, the noise, and the trial. Sets tissues, tissueResponses, tissueVoxels and shells of the plan
/// and adds notes; its order, voxels, volumes and b-values must be set. On all threads.
///
/// @param choice  which says the tissues
/// @param signal  mean unweighted signal of every voxel of the grid
/// @throws Error  where the responses cannot be used; Cancelled
void prepareTissues(const FiberInput& input, const FiberOptions& options, const FiberChoice& choice,
                    const std::vector<float>& signal, const Progress& progress, PreparedFiberModel& work);

}  // namespace sulcus::fibers
