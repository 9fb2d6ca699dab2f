#pragma once

#include "ui/scene/glyphs/lobes.h"

namespace sulcus::ui::scene {

/// Adds the ellipsoid of the diffusion tensor of each voxel, centered there: the average displacement of
/// water from its center, with the square roots of the eigenvalues as semi-axes (Basser, Mattiello & Le
/// Bihan, Biophys J 66 (1994) 259). Each is scaled by its own longest axis: with `scale` 1 it reaches the
/// side of its voxel. Its color is that of the longest axis, grayer the less anisotropic it is. Eigenvalues
/// that noise made smaller than a hundredth of the largest are clamped to that. Voxels without a positive one
/// are left out.
///
/// @param tensor of order 2, in the order of tensor_index.h, world axes; nothing is added for others
void appendEllipsoids(const Series<float>& tensor, const std::vector<std::int64_t>& voxels, int level,
                      double scale, Surfaces& surfaces);

}  // namespace sulcus::ui::scene
