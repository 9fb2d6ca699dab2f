#pragma once

#include "core/image/layer.h"
#include "core/registration/resample.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::registration {

/// The labels at x + displacement(x) for each voxel x of the displacement's grid, by Interpolation::label; 0
/// outside of the labels.
///
/// @param displacement  3 volumes, mm, RAS+
Volume<std::int32_t> displacedLabels(const Volume<std::int32_t>& labels, const Series<float>& displacement,
                                     const Progress& progress);

/// A displacement on another grid, interpolated trilinearly.
///
/// @param displacement  3 volumes, mm, RAS+
/// @param covered       receives 1 at the voxels of `grid` inside the displacement's grid
/// @throws Error        when there are none
Series<float> displacementOn(const Series<float>& displacement, const Grid& grid, Mask& covered,
                             const Progress& progress);

/// An image that was deformed by a field, and sentences about it.
struct AppliedField {
  Layer image;
  std::vector<std::string> notes;
};

/// The image at x + displacement(x) for each voxel x of `grid`; 0 where the field or the image does not
/// reach.
///
/// @param image          a volume, a series or labels
/// @param displacement   3 volumes, mm, RAS+
/// @param interpolation  nullopt takes label for labels and linear for all else
/// @throws Error         for layers of other kinds, for a field that is none or does not reach `grid`, and
///                       when no voxel of the result lies in the image
AppliedField applyField(const Layer& image, const Series<float>& displacement, const Grid& grid,
                        std::optional<Interpolation> interpolation, const Progress& progress);

}  // namespace sulcus::registration
