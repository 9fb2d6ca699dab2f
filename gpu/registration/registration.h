#pragma once

#include "core/registration/registration.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// On the current CUDA device: the descent runs there and leaves the same displacement as on the CPU, and so
/// do the maps. Preparation is the CPU's. Throws Error (unavailable) where there is no device or its memory
/// does not suffice, see registrationDeviceBytes().
Register registerImages;

/// Bytes of device memory of registerImages: of its finest level, which is on the reference's grid, or of
/// the maps, whichever takes more; 0 where an image is missing.
double registrationDeviceBytes(const RegistrationInput& input, const RegistrationOptions& options);

}  // namespace sulcus::gpu::registration
