#pragma once

#include "ui/scene/glyphs/lobes.h"

namespace sulcus::ui::scene {

/// Adds the ellipsoid of the diffusion tensor of each voxel, centered there: what water that starts in its
/// middle reaches on average, with half axes as the square roots of the eigenvalues (Basser, Mattiello & Le
/// Bihan, Biophys J 66 (1994) 259). Each is scaled by its own longest axis: `scale` 1 lets it reach the side
/// of its voxel. Its color is that of the longest axis, the grayer the less anisotropic. Eigenvalues that
/// noise made smaller than a hundredth of the largest count as that. Voxels without a positive one are left
/// out.
///
/// @param tensor  of order 2, in the order of tensor_index.h, world axes; nothing is added for others
void appendEllipsoids(const Series<float>& tensor, const std::vector<std::int64_t>& voxels, int level,
                      double scale, Surfaces& surfaces);

}  // namespace sulcus::ui::scene
