#pragma once

#include "core/registration/registration.h"

#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// The fit of two images in the voxels of `region`; all have one value per voxel.
RegistrationFit fitOf(const std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& region);

/// The rank correlation of brightness in a region, from a sample of a hundred thousand voxels; 0 if there is
/// nothing to rank. A few bright parts, such as bone in a CT, do not dominate it.
double rankCorrelation(const std::vector<float>& moving, const std::vector<float>& reference,
                       const std::vector<std::uint8_t>& region);

}  // namespace sulcus::registration
