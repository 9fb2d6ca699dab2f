#pragma once

#include "core/fibers/fibers.h"

namespace sulcus::fibers {

/// Peak host memory of findFibers besides the input, bytes, for either backend.
///
/// @throws Error  as planFibers
double fiberHostBytes(const FiberInput& input, const FiberOptions& options);

}  // namespace sulcus::fibers
