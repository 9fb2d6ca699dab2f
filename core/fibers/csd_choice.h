#pragma once

#include "core/base/progress.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/fiber_plan.h"

#include <vector>

namespace sulcus::fibers {

/// Decides what a deconvolution needs the values of the scan for: the response, given or estimated; the
/// order, where the options leave it open; the cut below which peaks are noise. Sets order, entries, csd,
/// predict, cut and responseVoxels of the plan and adds notes; its voxels, volumes and b-values must be set.
/// On all threads.
///
/// @param signal  mean unweighted signal of every voxel of the grid
/// @throws Error  where the response cannot be used; Cancelled
void chooseDeconvolution(const FiberInput& input, const FiberOptions& options, const FiberChoice& choice,
                         const std::vector<float>& signal, const Progress& progress, FiberPlan& plan);

}  // namespace sulcus::fibers
