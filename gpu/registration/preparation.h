#pragma once

#include "core/registration/preparation.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

// Each step is done on the first of the chosen devices, whichever thread calls it, and leaves the bits of the
// CPU's. Several may run at once. While the devices are starting the CPU's steps take their place.

Coarsen coarsened;
AlignImage alignedImage;
TexturedShare texturedShare;

inline constexpr PreparationSteps kDeviceSteps{coarsened, alignedImage, texturedShare};

/// The steps of images of so many voxels: the CPU's where their way to the device would take longer.
inline PreparationSteps stepsFor(std::int64_t voxels) {
  return voxels >= 1'500'000 ? kDeviceSteps : PreparationSteps{};
}

/// Bytes of device memory of the steps that run at once.
std::int64_t preparationBytes(const RegistrationInput& input);

}  // namespace sulcus::gpu::registration
