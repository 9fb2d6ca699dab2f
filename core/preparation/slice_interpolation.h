#pragma once

#include "core/activation/design/design.h"
#include "core/base/progress.h"
#include "core/image/volume.h"

#include <span>
#include <vector>

// Interpolation of a series to one time for all slices of a volume, which are acquired one after another.
namespace sulcus::preparation {

/// When the slices of a series were acquired.
struct SliceTimes {
  /// For each run: one for each slice along the third axis, s after the start of a volume. Empty: unknown.
  std::vector<std::vector<double>> ofRuns;
  double secondsPerVolume = 0;

  bool empty() const { return ofRuns.empty(); }
};

/// The midpoint of the times at which slices were acquired, s.
double middleOf(std::span<const double> sliceTimes);

/// Each voxel's series at the middle time of the slices of its run, by a cubic B-spline through its values,
/// mirrored at both ends of the run. A series with unusable values is left unchanged.
///
/// @param times  one list for each run, with as many times as the series has slices
Series<float> interpolatedSlices(const Series<float>& series, const std::vector<activation::Run>& runs,
                                 const SliceTimes& times, const Progress& progress);

}  // namespace sulcus::preparation
