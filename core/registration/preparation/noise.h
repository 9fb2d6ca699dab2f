#pragma once

#include "core/math/vec3.h"

#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// The standard deviation of the noise in an image: of what second differences along all axes leave of it,
/// which is hardly more than noise. Edges are few: the lower quartile of its size is taken, as that of a
/// normal distribution (after Immerkær, Comput. Vis. Image Underst. 64 (1996) 300). 0 where nothing counts.
///
/// @param image   one value per voxel, x fastest
/// @param counts  one per voxel, not 0 where the noise is looked for
double noiseOf(const std::vector<float>& image, const std::vector<std::uint8_t>& counts,
               const Vec3<int>& size);

}  // namespace sulcus::registration
