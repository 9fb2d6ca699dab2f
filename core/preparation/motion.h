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

/// A series whose volumes are to be realigned.
struct MotionInput {
  std::shared_ptr<const Series<float>> series;
  /// One per volume: 0 for those of which the mean is not made, such as the first ones, before the signal is
  /// steady. They are realigned, too. Empty: all are used.
  std::vector<std::uint8_t> steady;
  /// Finds how the series is distorted, from the mean of its volumes, realigned; may be empty or return null.
  std::function<std::shared_ptr<const Unwarp>(const Volume<float>& mean, const Progress&)> findUnwarp = {};
  bool findMotion = true;  ///< else all volumes are taken for at rest
};

/// A series without motion.
struct MotionResult {
  /// Each volume as it would be, had the head stayed where it is in the mean, and in an even field:
  /// interpolated once, by a cubic B-spline. NaN where a volume does not reach to.
  std::shared_ptr<const Series<float>> series;
  Volume<float> mean;           ///< of the steady volumes, over those that reach there; NaN where none does
  std::vector<Motion> motion;   ///< one per volume
  std::vector<double> overlap;  ///< one per volume: share of what is compared that is in its view
  /// No motion was found: all parameters are 0. Without distortion the series is as it was, to the bit.
  bool still = false;
  Notes notes;
  std::vector<StageTime> stages;
};

/// Finds how the head moved between the volumes of a series and takes that out.
///
/// Each volume is compared with a reference, rigidly and up to its brightness, by least squares with robust
/// weights: Gauss-Newton steps on a smooth level and on a finer one. The first reference is the steady volume
/// nearest to the mean of all; the second one is the mean of the realigned volumes. The result is the same
/// for any number of threads, and on CPU and GPU.
///
/// @throws Error  for less than two volumes or steady ones, for less than kFewestVoxels along an axis, where
///                there is no contrast; Cancelled
using RealignSeries = MotionResult(const MotionInput&, const Progress&);
RealignSeries realignSeries;

/// Along each axis: of fewer the motion cannot be estimated.
inline constexpr int kFewestVoxels = 4;
/// A series in which no point of the head moves further than this from its mean place, mm, or no further than
/// noise explains, is left as it is: interpolating would only blur it.
inline constexpr double kStill = 0.03;

}  // namespace sulcus::preparation
