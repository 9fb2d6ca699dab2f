#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"

// Images that are made of others, voxel by voxel.
namespace sulcus {

/// A volume of a series on another grid, interpolated linearly; not a number outside of it.
Series<float> onGrid(const Series<float>& series, int volume, const Grid& grid, const Progress& progress);

/// One image minus another, on the grid of the second one: the first is interpolated linearly where its grid
/// is another one, and what lies outside of it is not a number. Values are taken as they are, so that images
/// of unlike brightness differ everywhere. The unit is theirs where they share one.
///
/// @param volume, otherVolume  which volumes of them, from 0
/// Throws Error when one of them is no image.
Layer differenceOf(const Layer& image, int volume, const Layer& other, int otherVolume,
                   const Progress& progress);

/// The mean over the volumes of a series, in its unit. Values that are no numbers are left out; where there
/// is no other, the mean is none. Throws Error when it holds no series.
Layer meanOf(const Layer& series, const Progress& progress);

/// The standard deviation over the volumes of a series (of the sample: n − 1), in its unit. Throws Error when
/// it holds no series.
Layer deviationOf(const Layer& series, const Progress& progress);

}  // namespace sulcus
