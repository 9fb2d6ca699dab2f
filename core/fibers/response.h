#pragma once

#include "core/base/progress.h"
#include "core/fibers/fiber_plan.h"
#include "core/image/volume.h"

#include <span>
#include <string>
#include <vector>

namespace sulcus::fibers {

/// The response function, the signal S/S0 of a single fiber.
struct FiberResponse {
  std::vector<double> zonal;  ///< r_0 … r_order, see CsdPlan
  std::string note;           ///< what it is and where it comes from, a sentence
};

/// Estimates the response from the voxels with the highest fractional anisotropy whose unweighted signal is
/// at least half the median (noise outside the head is anisotropic too). On all threads.
///
/// @param plan        of which voxels, volumes, b-values and order must be set
/// @param signal      mean unweighted signal of every voxel of the grid
/// @param directions  of plan.weighted: unit, world axes
/// @throws Error when no voxel has a positive tensor; Cancelled
FiberResponse estimateResponse(const Series<float>& dwi, const FiberPlan& plan,
                               const std::vector<float>& signal, std::span<const Vec3<double>> directions,
                               const Progress& progress);

}  // namespace sulcus::fibers
