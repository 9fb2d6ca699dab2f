#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

#include <span>

namespace sulcus::preparation {

/// The mean of volumes of a series in each voxel, over those with a usable value there; NaN where there is
/// none.
///
/// @param volumes  their numbers
Volume<float> meanOfVolumes(const Series<float>& series, std::span<const int> volumes,
                            const Progress& progress);
/// The mean of all volumes.
Volume<float> meanOfSeries(const Series<float>& series, const Progress& progress);

/// Replaces unusable values by 0.
Volume<float> withoutUnsound(Volume<float> image);

}  // namespace sulcus::preparation
