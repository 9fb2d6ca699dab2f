#pragma once

#include "core/math/vec3.h"

#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// The standard deviation of the noise in an image, from its second differences along all axes, which are
/// little more than noise. Edges are few: the estimate uses the lower quartile of the magnitude, compared
/// with that of a normal distribution (after Immerkær, Comput. Vis. Image Underst. 64 (1996) 300). 0 if
/// nothing counts.
///
/// @param image   one value per voxel, x fastest
/// @param counts  one per voxel, nonzero where the noise is estimated
double noiseOf(const std::vector<float>& image, const std::vector<std::uint8_t>& counts,
               const Vec3<int>& size);

}  // namespace sulcus::registration
