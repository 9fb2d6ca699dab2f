#pragma once

#include "core/activation/design/design.h"
#include "core/base/progress.h"
#include "core/image/volume.h"

#include <vector>

namespace sulcus::preparation {

/// How much a series changes from volume to volume: the root mean square over the voxels of a mask, scaled to
/// a median of 1000 in the mask; and the same divided by its expectation for noise alone (Nichols, Notes on
/// creating a standardized version of DVARS, 2013; fMRIPrep's dvars and std_dvars).
struct Dvars {
  std::vector<double> plain, standardized;  ///< one per volume; 0 for the first one of a run
};

/// Voxels that do not change are ignored.
///
/// @param mask  on the series' grid, voxels with a number in every volume
Dvars dvarsOf(const Series<float>& series, const Mask& mask, const std::vector<activation::Run>& runs,
              const Progress& progress);

}  // namespace sulcus::preparation
