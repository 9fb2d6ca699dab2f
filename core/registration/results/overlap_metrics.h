#pragma once

#include "core/registration/registration.h"

#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// The fit of two images in the voxels of `region`; all have one value per voxel.
RegistrationFit fitOf(const std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& region);

/// The correlation of the ranks of brightness in a region, of which a hundred thousand voxels are sampled;
/// 0 where there is nothing to rank. A few bright parts, such as bone in a CT, do not decide it.
double rankCorrelation(const std::vector<float>& moving, const std::vector<float>& reference,
                       const std::vector<std::uint8_t>& region);

}  // namespace sulcus::registration
