#pragma once

#include "core/registration/registration.h"

namespace sulcus::gpu {

/// On the current CUDA device: the descent runs there and leaves the same displacement as on the CPU.
/// Preparation and maps are the CPU's. Throws Error (unavailable) where there is no device or its memory does
/// not suffice, see registrationMemory().
Register registerImages;

}  // namespace sulcus::gpu
