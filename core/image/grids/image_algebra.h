#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"

// Images computed from others, voxel by voxel.
namespace sulcus {

/// A volume of a series on another grid, interpolated linearly; NaN outside of it.
Series<float> onGrid(const Series<float>& series, int volume, const Grid& grid, const Progress& progress);

/// One image minus another, on the grid of the second one: the first is interpolated linearly if its grid
/// differs, with NaN outside of it. Values are used as they are, so that images of different brightness
/// differ everywhere. Has their unit if they share one.
///
/// @param volume, otherVolume  indices of their volumes, from 0
/// Throws Error if one of them is not an image.
Layer differenceOf(const Layer& image, int volume, const Layer& other, int otherVolume,
                   const Progress& progress);

/// The mean over the volumes of a series, in its unit. NaN values are ignored; if all are NaN, so is the
/// mean. Throws Error if it holds no series.
Layer meanOf(const Layer& series, const Progress& progress);

/// The sample standard deviation (n − 1) over the volumes of a series, in its unit. Throws Error if it holds
/// no series.
Layer deviationOf(const Layer& series, const Progress& progress);

}  // namespace sulcus
