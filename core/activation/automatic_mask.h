#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

namespace sulcus {

/// The voxels of the head, for a scan without a mask: where the root mean square over the volumes exceeds the
/// clip level, the largest piece (26-connected), its holes filled (a hole is what no path over faces connects
/// to the border). The clip level is a fixed point, half of the median of what lies above it (the idea of
/// AFNI's 3dClipLevel), searched downwards from half of the 98th percentile. Of a scan whose background was
/// set to 0 already, with the head cut out, all that is not 0 is taken: at least a tenth of the voxels is 0,
/// and of the others seven in ten exceed a tenth of the 98th percentile. Voxels that are not finite in some
/// volume count as 0. Throws Error when every voxel is 0. The same for any number of threads.
Mask automaticMask(const Series<float>& series, const Progress& progress = {});

}  // namespace sulcus
