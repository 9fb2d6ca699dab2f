#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

namespace sulcus::registration {

/// Directions at x + displacement(x) for each voxel x of the displacement's grid, those of the nearest voxel,
/// rotated with the deformation: a direction d of the image becomes J⁻¹ d with its length unchanged, J being
/// the derivative of x + displacement(x), so that fibers remain aligned with the anatomy (preservation of the
/// principal direction, Alexander et al., IEEE Trans Med Imaging 20 (2001) 1131).
///
/// @param peaks         3 volumes per direction, in scanner axes; NaN where there is none
/// @param displacement  3 volumes, mm, RAS+
/// @return              NaN outside of the image, and where the deformation folds
Series<float> turnedPeaks(const Series<float>& peaks, const Series<float>& displacement,
                          const Progress& progress);

}  // namespace sulcus::registration
