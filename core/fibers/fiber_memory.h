#pragma once

#include "core/fibers/fibers.h"

namespace sulcus::fibers {

/// Bytes of this computer's memory that findFibers holds at its peak, on either processor, besides the input.
///
/// @throws Error  as planFibers
double fiberHostBytes(const FiberInput& input, const FiberOptions& options);

}  // namespace sulcus::fibers
