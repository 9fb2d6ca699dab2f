#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"

namespace sulcus {

/// How far two images agree, as a table: the 20 voxels that differ most, with their places and both values;
/// how many were compared, and the figures of all, are notes. Compared is on the grid of the second image, as
/// by differenceOf(), which see.
Layer imageAgreement(const Layer& image, int volume, const Layer& other, int otherVolume,
                     const Progress& progress);

}  // namespace sulcus
