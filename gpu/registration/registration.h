#pragma once

#include "core/registration/registration.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// On the current CUDA device: large images are prepared there, and the descent and the maps are computed
/// there with the same displacement as on the CPU. Brightness is matched on the CPU. Throws Error
/// (unavailable) if there is no device or its memory does not suffice, see registrationDeviceBytes().
Register registerImages;

/// The pre-alignment of the CPU, with the same bits: large images are coarsened on the device.
AlignLinearly alignLinearly;

/// Bytes of device memory of both functions: of the finest level, which is on the reference's grid, of the
/// maps, or of the preparation, whichever takes most; 0 if an image is missing.
double registrationDeviceBytes(const RegistrationInput& input, const RegistrationOptions& options);

}  // namespace sulcus::gpu::registration
