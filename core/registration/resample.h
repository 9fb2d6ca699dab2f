#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

#include <optional>

namespace sulcus {

/// linear: trilinear. nearest: the closest voxel. label: the value with the largest trilinear weight; of
/// equal ones the lowest.
enum class Interpolation { linear, nearest, label };

/// The image at imageFromGrid (world to world, mm) of each voxel of `grid`.
///
/// @param outside  value where that lies more than half a voxel outside the image; none: the nearest one
/// inside
/// @param covered  gets 1 where it lies inside; may be null
Volume<float> resampled(const Grid& imageGrid, VolumeView<const float> image, const Grid& grid,
                        const Affine& imageFromGrid, Interpolation interpolation,
                        std::optional<float> outside, Mask* covered, const Progress& progress);

/// Throws Error unless the displacement has three volumes of finite values.
void requireField(const Series<float>& displacement);

/// Each volume of the image at x + displacement(x), for x on the displacement's grid.
///
/// @param displacement  3 volumes, mm, RAS+
/// @throws Error  where requireField() does
Series<float> displaced(const Series<float>& image, const Series<float>& displacement,
                        Interpolation interpolation, float outside, const Progress& progress);

}  // namespace sulcus
