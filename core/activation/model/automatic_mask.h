#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

namespace sulcus::activation {

/// The voxels of the brain, on the grid of the series, for a scan without a mask: the largest 26-connected
/// component of the voxels whose root mean square over the volumes exceeds a clip level, with its holes
/// filled (a hole is what no path over faces connects to the border), without parts connected by bridges of
/// up to six voxels, such as the scalp. Its border is then redrawn, twice, where a voxel has 0.65 of the mean
/// brightness of the brain around it. Where fluid is dark, as in T1-weighted scans, furrows up to 8 mm wide
/// (in a human; the width follows the size of the brain) are closed if they are not as dark as bone. What a
/// bridge of up to 14 voxels connects, such as face and neck, is then left out if it is large.
///
/// A head of more voxels than that of a human at 2 mm is searched in means of voxels, the border being
/// interpolated.
///
/// Where the 98th percentile of the head is more than 1.9 times its median, as where fluid and eyes are far
/// brighter than white matter, all of this is done with a power of the brightness, at least its square root,
/// with which it is 1.9 times.
///
/// The clip level is half of the median of the values above it, a fixed point (the idea of AFNI's
/// 3dClipLevel) that is searched downwards from half of the 98th percentile of the nonzero values. If little
/// more than that is nonzero, or not much more and what is nonzero ends sharply, the brain was already
/// extracted, and all nonzero voxels are used. Voxels that are not finite in some volume count as 0. The
/// result is the same for any number of threads.
///
/// @throws Error if every voxel is 0; Cancelled
Mask automaticMask(const Series<float>& series, const Progress& progress = {});

}  // namespace sulcus::activation
