#pragma once

#include "core/base/progress.h"
#include "core/fibers/fiber_plan.h"

#include <vector>

namespace sulcus::fibers {

/// Decides what a multi-tissue deconvolution needs the values of the scan for: the responses, given or
/// estimated, and the cut below which peaks are noise. Sets tissues, tissueResponses, tissueVoxels, shells
/// and cut of the plan and adds notes; its order, voxels, volumes and b-values must be set. On all threads.
///
/// @param signal  mean unweighted signal of every voxel of the grid
/// @throws Error  where the responses cannot be used; Cancelled
void chooseTissues(const FiberInput& input, const FiberOptions& options, const std::vector<float>& signal,
                   const Progress& progress, FiberPlan& plan);

}  // namespace sulcus::fibers
