#pragma once

#include "core/smooth/smooth.h"

namespace sulcus::gpu::smooth {
using namespace sulcus::smooth;

/// On the current CUDA device; throws Error (unavailable) where there is none or its memory does not suffice.
Smooth smooth;

/// Bytes that a run takes on the device.
double smoothDeviceBytes(std::int64_t voxels);

}  // namespace sulcus::gpu::smooth
