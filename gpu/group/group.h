#pragma once

#include "core/group/group.h"

namespace sulcus::gpu::group {
using namespace sulcus::group;

/// t of all exchanges on the current CUDA device; they are handed over on the threads of this computer.
ExchangeStatistics exchangeStatistics;

/// On the current CUDA device; throws Error (unavailable) where there is none or its memory does not suffice.
FindEffects findEffects;

/// Bytes that a run takes on the device.
double groupDeviceBytes(std::int64_t voxels, int maps);

}  // namespace sulcus::gpu::group
