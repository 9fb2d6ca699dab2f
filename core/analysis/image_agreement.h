#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"

namespace sulcus {

/// The agreement of two images as a table: the 20 voxels that differ most, with their positions and both
/// values; the number of voxels compared and the overall figures are notes. The comparison is on the grid of
/// the second image, see differenceOf().
Layer imageAgreement(const Layer& image, int volume, const Layer& other, int otherVolume,
                     const Progress& progress);

}  // namespace sulcus
