#pragma once

#include "core/smooth/smooth.h"

namespace sulcus::gpu::smooth {
using namespace sulcus::smooth;

/// On the current CUDA device; throws Error (unavailable) if there is none or its memory does not suffice.
Smooth smooth;

/// The device memory that a run needs, bytes.
double smoothDeviceBytes(std::int64_t voxels);

}  // namespace sulcus::gpu::smooth
