#pragma once

#include "core/fibers/fibers.h"

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;

/// On the current CUDA device; throws Error (unavailable) if there is none or its memory does not suffice.
FindFibers findFibers;

/// Bytes of device memory that findFibers requests: the matrices, and room for all voxels of the image, but
/// at most for 2¹⁸. It uses more if available, and also works with less.
///
/// @throws Error  as planFibers
double fiberDeviceBytes(const FiberInput& input, const FiberOptions& options);

}  // namespace sulcus::gpu::fibers
