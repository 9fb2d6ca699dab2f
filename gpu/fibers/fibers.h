#pragma once

#include "core/fibers/fibers.h"

namespace sulcus::gpu {

/// On the current CUDA device; throws Error (unavailable) where there is none or its memory does not suffice.
FindFibers findFibers;

}  // namespace sulcus::gpu
