#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/volume.h"
#include "core/preparation/distortion/unwarp.h"
#include "core/preparation/motion_parameters.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::preparation {

/// A series to be realigned.
struct MotionInput {
  std::shared_ptr<const Series<float>> series;
  /// One per volume: 0 for those excluded from the mean, such as the first ones before the signal is steady.
  /// They are realigned as well. Empty: all are used.
  std::vector<std::uint8_t> steady;
  /// Finds the distortion of the series from the mean of its realigned volumes; may be empty or return null.
  std::function<std::shared_ptr<const Unwarp>(const Volume<float>& mean, const Progress&)> findUnwarp = {};
  bool findMotion = true;  ///< else all volumes are taken to be at rest
};

/// A realigned series.
struct MotionResult {
  /// Each volume as if the head had stayed where it is in the mean, in a homogeneous field: interpolated
  /// once, by a cubic B-spline. NaN where a volume does not extend.
  std::shared_ptr<const Series<float>> series;
  Volume<float> mean;  ///< of the steady volumes, over those with a value there; NaN where there is none
  std::vector<Motion> motion;   ///< one per volume
  std::vector<double> overlap;  ///< one per volume: share of the compared samples in its view
  /// No motion was found: all parameters are 0. Without distortion the series is unchanged, to the bit.
  bool still = false;
  Notes notes;
  std::vector<StageTime> stages;
};

/// Finds how the head moved between the volumes of a series and corrects it.
///
/// Each volume is compared with a reference, rigidly and up to its brightness, by least squares with robust
/// weights: Gauss-Newton steps at a smooth level and at a finer one. The first reference is the steady volume
/// nearest to the mean of all; the second is the mean of the realigned volumes. The result is the same for
/// any number of threads, and on CPU and GPU.
///
/// @throws Error  for fewer than two volumes or steady ones, for fewer than kFewestVoxels along an axis, or
///                if there is no contrast; Cancelled
using RealignSeries = MotionResult(const MotionInput&, const Progress&);
RealignSeries realignSeries;

/// The fewest voxels along each axis from which motion can be estimated.
inline constexpr int kFewestVoxels = 4;
/// A series in which no point of the head moves further than this from its mean position, mm, or no further
/// than noise explains, is left unchanged: interpolation would only blur it.
inline constexpr double kStill = 0.03;

}  // namespace sulcus::preparation
