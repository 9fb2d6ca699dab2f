#pragma once

#include "core/registration/registration.h"

#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// The fit of two images in the voxels of `region`; all have one value per voxel.
RegistrationFit fitOf(const std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& region);

}  // namespace sulcus::registration
