#pragma once

#include "core/activation/design/design.h"
#include "core/base/progress.h"
#include "core/image/volume.h"

#include <span>
#include <vector>

// Slices of a volume are taken one after the other; a series in which all stand for one time.
namespace sulcus::preparation {

/// When the slices of a series were taken.
struct SliceTimes {
  /// Of each run: one for each slice along the third axis, s after the start of a volume. Empty: unknown.
  std::vector<std::vector<double>> ofRuns;
  double secondsPerVolume = 0;

  bool empty() const { return ofRuns.empty(); }
};

/// The middle of the times at which slices were taken, s.
double middleOf(std::span<const double> sliceTimes);

/// Each voxel's series at the middle time of the slices of its run, by a cubic B-spline through its values
/// that is mirrored at both ends of the run. A series with values that cannot be worked on stays as it is.
///
/// @param times  a list for each of the runs, of as many slices as the series has
Series<float> interpolatedSlices(const Series<float>& series, const std::vector<activation::Run>& runs,
                                 const SliceTimes& times, const Progress& progress);

}  // namespace sulcus::preparation
