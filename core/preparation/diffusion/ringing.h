#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/image/volume.h"

#include <string>
#include <vector>

namespace sulcus::preparation {

/// A series without Gibbs ringing.
struct UnrungSeries {
  Series<float> series;
  Notes notes;
};

/// Along each axis of a slice: with fewer voxels, ringing cannot be distinguished from the image.
inline constexpr int kFewestForRinging = 8;

/// Removes Gibbs ringing beside edges within slices, the planes of the first two axes of the image: along
/// each line, every voxel is taken from the copy of the line, shifted by up to half a voxel, that oscillates
/// least around it. The series must be as acquired, or denoised; slices that were interpolated, or acquired
/// with partial Fourier, ring differently. Equal to MRtrix' mrdegibbs within rounding. Voxels with values
/// that are not finite count as 0 and are left unchanged.
///
/// @throws Error  for fewer than kFewestForRinging voxels along an axis of the slices; Cancelled
/// Kellner et al., Magn Reson Med 76 (2016) 1574.
using RemoveRinging = UnrungSeries(const Series<float>& series, const Progress& progress);

/// On the CPU, on all threads of the withThreads() scope.
RemoveRinging removeRinging;

}  // namespace sulcus::preparation
