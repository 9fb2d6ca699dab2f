#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

namespace sulcus {

/// The voxels of the head with signal, for a scan without a mask: where the mean over the volumes exceeds the
/// clip level, the largest piece (26-connected), its holes filled (a hole is what no path of faces connects
/// to the border). The clip level is the fixed point of: half of the median of the means above it (as in
/// AFNI's 3dClipLevel; Cox 1996), searched downwards from the 98th percentile's half. Voxels with a NaN in
/// any volume count as 0. Throws Error when no voxel has signal. The same for any number of threads.
Mask automaticMask(const Series<float>& series, const Progress& progress = {});

}  // namespace sulcus
