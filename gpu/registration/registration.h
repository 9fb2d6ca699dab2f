#pragma once

#include "core/registration/registration.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// On the current CUDA device: large images are prepared there, the descent runs there and leaves the same
/// displacement as on the CPU, and so do the maps. Brightness is matched by the CPU. Throws Error
/// (unavailable) where there is no device or its memory does not suffice, see registrationDeviceBytes().
Register registerImages;

/// The pre-alignment of the CPU, with the same bits: large images are made smaller on the device.
AlignLinearly alignLinearly;

/// Bytes of device memory of both: of the finest level, which is on the reference's grid, of the maps, or of
/// the preparation, whichever takes most; 0 where an image is missing.
double registrationDeviceBytes(const RegistrationInput& input, const RegistrationOptions& options);

}  // namespace sulcus::gpu::registration
