#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

#include <span>

namespace sulcus::preparation {

/// The mean of volumes of a series in each voxel, over those with a value there that can be worked on; NaN
/// where none has one.
///
/// @param volumes  their numbers
Volume<float> meanOfVolumes(const Series<float>& series, std::span<const int> volumes,
                            const Progress& progress);
/// That of all volumes.
Volume<float> meanOfSeries(const Series<float>& series, const Progress& progress);

/// 0 in place of values that cannot be worked on.
Volume<float> withoutUnsound(Volume<float> image);

}  // namespace sulcus::preparation
