#pragma once

#include "core/tracts/growth.h"

#include <cstdint>

namespace sulcus::gpu::tracts {
using namespace sulcus::tracts;

/// On the chosen CUDA devices; throws Error (unavailable) where there is none or its memory does not suffice.
FollowSeeds followSeeds;
FindTracts findTracts;

/// On the first of the chosen devices, whose memory it keeps until it is let go of; of one thread at a time.
HoldPlan holdPlan;

/// followSeeds() with at most so many seeds on a device at once, 0: as many as fit. The lines do not depend
/// on it.
void followSeedsInBatches(const TractPlan& plan, const TakeBatch& take, const Progress& progress,
                          std::int64_t most);

/// Bytes that a run takes on a device, with a field of so many voxels and volumes.
double tractDeviceBytes(std::int64_t voxels, int volumes);

}  // namespace sulcus::gpu::tracts
