#pragma once

#include "core/fibers/fiber_plan.h"
#include "core/fibers/fibers.h"

#include <cstdint>

namespace sulcus::gpu {

/// findFibers with at most `slabVoxels` voxels on the device at once. The result does not depend on it.
FiberMaps findFibersInSlabs(const FiberInput& input, const FiberOptions& options, const Progress& progress,
                            std::int64_t slabVoxels);

/// Device memory per voxel of a slab: FitSlab::bytesPerVoxel + PeakSlab::bytesPerVoxel, with U entries, n
/// volumes and P peaks 4 (n + 4 U + 3 P + 12) bytes or less: 1.1 kB for csd of order 8 with 70 volumes.
std::int64_t deviceBytesPerVoxel(const FiberPlan& plan, const FiberOptions& options);

}  // namespace sulcus::gpu
