#pragma once

#include "core/image/layer.h"
#include "core/registration/resample.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus {

/// Labels, value for value, at x + displacement(x) for x on the displacement's grid; 0 outside.
Volume<std::int32_t> displacedLabels(const Volume<std::int32_t>& labels, const Series<float>& displacement,
                                     const Progress& progress);

/// A displacement on another grid, trilinear; `covered` gets the voxels of `grid` where there is one.
///
/// @throws Error  when the field reaches none of them
Series<float> displacementOn(const Series<float>& displacement, const Grid& grid, Mask& covered,
                             const Progress& progress);

/// An image deformed by a field, onto the grid of another image.
struct AppliedField {
  Layer image;
  std::vector<std::string> notes;
};

/// Volumes, series and labels; 0 where the field or the image does not reach.
///
/// @param interpolation  none: label for labels, linear for all else
/// @throws Error  for layers of other kinds, fields that are none or do not reach `grid`, and where nothing
/// of
///                the image is hit
AppliedField applyField(const Layer& image, const Series<float>& displacement, const Grid& grid,
                        std::optional<Interpolation> interpolation, const Progress& progress);

}  // namespace sulcus
