#pragma once

#include "core/group/group.h"

namespace sulcus::gpu::group {
using namespace sulcus::group;

/// t of all exchanges on the current CUDA device, handed over on the threads of this computer.
ExchangeStatistics exchangeStatistics;

/// Samples people_model.h on the current CUDA device.
MakePeopleSampler makePeopleSampler;

/// On the current CUDA device; throws Error (unavailable) if there is none or its memory does not suffice.
FindEffects findEffects;

/// The device memory that a run needs, bytes.
double groupDeviceBytes(std::int64_t voxels, int maps, const GroupOptions& options);

}  // namespace sulcus::gpu::group
