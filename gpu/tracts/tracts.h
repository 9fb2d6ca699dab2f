#pragma once

#include "core/tracts/growth.h"

#include <cstdint>

namespace sulcus::gpu::tracts {
using namespace sulcus::tracts;

/// On the chosen CUDA devices; throws Error (unavailable) if there is none or its memory does not suffice.
FollowSeeds followSeeds;
FindTracts findTracts;

/// On the first of the chosen devices, whose memory it keeps until it is destroyed; for one thread at a time.
HoldPlan holdPlan;

/// followSeeds() with at most this many seeds on a device at once; 0: as many as fit. The lines do not depend
/// on it.
void followSeedsInBatches(const TractPlan& plan, const TakeBatch& take, const Progress& progress,
                          std::int64_t most);

/// The memory that a run needs on a device for a field of this many voxels and volumes, bytes.
double tractDeviceBytes(std::int64_t voxels, int volumes);

}  // namespace sulcus::gpu::tracts
