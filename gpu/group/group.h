#pragma once

#include "core/group/group.h"

namespace sulcus::gpu::group {
using namespace sulcus::group;

/// t of all exchanges on the current CUDA device; they are handed over on the threads of this computer.
ExchangeStatistics exchangeStatistics;

/// The voxels of people_model.h on the current CUDA device.
MakePeopleSampler makePeopleSampler;

/// On the current CUDA device; throws Error (unavailable) where there is none or its memory does not suffice.
FindEffects findEffects;

/// Bytes that a run takes on the device.
double groupDeviceBytes(std::int64_t voxels, int maps, const GroupOptions& options);

}  // namespace sulcus::gpu::group
