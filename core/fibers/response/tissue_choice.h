#pragma once

#include "core/base/progress.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/fiber_plan.h"

#include <vector>

namespace sulcus::fibers {

/// Determines the parts of a multi-tissue deconvolution that depend on the values of the scan: the responses,
/// given or estimated, the noise, and the trial. Sets tissues, tissueResponses, tissueVoxels and shells of
/// the plan and adds notes; its order, voxels, volumes and b-values must be set. Runs on all threads.
///
/// @param choice  which specifies the tissues
/// @param signal  mean unweighted signal of every voxel of the grid
/// @throws Error  if the responses cannot be used; Cancelled
void prepareTissues(const FiberInput& input, const FiberOptions& options, const FiberChoice& choice,
                    const std::vector<float>& signal, const Progress& progress, PreparedFiberModel& work);

}  // namespace sulcus::fibers
