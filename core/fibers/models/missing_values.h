#pragma once

#include "core/base/progress.h"
#include "core/fibers/models/shells.h"
#include "core/image/volume.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sulcus::fibers {

/// A series in which missing values are replaced.
struct FilledSeries {
  std::shared_ptr<const Series<float>> dwi;  ///< null if nothing is missing
  std::string note;                          ///< how much was missing; "" if nothing was
};

/// Replaces values that are exactly 0 in some volumes of a voxel with signal: motion correction crops the
/// field of view of single volumes and leaves 0 there, which is not a signal of the tissue.
///
/// A missing unweighted value becomes the mean of the others. A missing weighted value becomes the prediction
/// of the other volumes of its shell, by harmonics of the highest order up to 8 that they determine; if they
/// do not determine order 2, the prediction of all other volumes by a fit of ln S, of degree 2 in b, with
/// tensors of order 2 and 4. Voxels with more than half of a shell at 0 have little signal rather than
/// missing values and are left unchanged.
///
/// @param unweighted  volumes whose mean is S0
/// @param shells      the weighted volumes that are used
/// @param voxels      grid indices of voxels in which S0 is above 0
FilledSeries fillMissing(const Series<float>& dwi, const GradientTable& table,
                         std::span<const int> unweighted, std::span<const Shell> shells,
                         std::span<const std::int64_t> voxels, const Progress& progress);

/// Whether fillMissing() may have to copy the series because a voxel is exactly 0 in some volumes and not in
/// others.
///
/// @param mask  on its grid; null: all voxels
bool mayLackValues(const Series<float>& dwi, const Mask* mask);

}  // namespace sulcus::fibers
