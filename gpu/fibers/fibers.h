#pragma once

#include "core/fibers/fibers.h"

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;

/// On the current CUDA device; throws Error (unavailable) where there is none or its memory does not suffice.
FindFibers findFibers;

/// Bytes of device memory that findFibers asks for: the matrices, and room for all voxels of the image, or
/// for 2¹⁸ of them where there are more. It takes more where it is free, and goes on with less.
///
/// @throws Error  as planFibers
double fiberDeviceBytes(const FiberInput& input, const FiberOptions& options);

}  // namespace sulcus::gpu::fibers
