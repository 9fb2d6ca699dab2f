#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/image/volume.h"

#include <string>
#include <vector>

namespace sulcus::preparation {

/// A denoised diffusion series.
struct DenoisedSeries {
  Series<float> series;
  Volume<float> noise;  ///< standard deviation of the noise, in the unit of the series
  Volume<float> rank;   ///< number of components that are signal
  Notes notes;
};

/// Voxels along the edges of the windows of a series: the smallest odd cube with at least as many voxels as
/// there are volumes, 5 × 5 × 5 for 28 to 125, as in MRtrix' dwidenoise. If an axis is shorter than that, the
/// window extends further along the others.
Vec3<int> denoisingWindow(const Vec3<int>& size, int volumes);

/// Removes noise by principal component analysis: in a window around each voxel, volumes × voxels, components
/// whose variance is explained by noise alone are removed. The series must be as acquired: interpolation or
/// smoothing makes noise look like signal. Equal to MRtrix' dwidenoise within rounding. A voxel with values
/// that are not finite counts as 0 and is left unchanged.
///
/// @param mask  on its grid; null: all voxels. Others are left unchanged, and have noise and rank 0
/// @throws Error  for fewer than 2 volumes or too few voxels for a window; Cancelled
/// Veraart et al., NeuroImage 142 (2016) 394.
using Denoise = DenoisedSeries(const Series<float>& series, const Mask* mask, const Progress& progress);

/// On the CPU, on all threads of the withThreads() scope.
Denoise denoise;

}  // namespace sulcus::preparation
