#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/diffusion/gradients.h"
#include "core/image/volume.h"
#include "core/preparation/diffusion/lost_slices.h"
#include "core/preparation/distortion/series_field.h"
#include "core/preparation/motion.h"

#include <memory>
#include <string>
#include <vector>

namespace sulcus::preparation {

/// A diffusion series whose volumes are to be realigned.
struct DiffusionMotionInput {
  std::shared_ptr<const Series<float>> dwi;
  GradientTable gradients;  ///< a row for each volume
  FieldScans field = {};    ///< what its distortion is found by
};

/// A diffusion series without motion.
struct DiffusionMotionResult {
  /// Each volume as it would be, had the head stayed where it was in the first one, and in an even field:
  /// interpolated once, by a cubic B-spline. 0, a missing value, where a volume does not reach to and where
  /// its slice was lost.
  std::shared_ptr<const Series<float>> dwi;
  GradientTable gradients;      ///< turned along with the head
  std::vector<Motion> motion;   ///< one per volume, from the first one on
  std::vector<LostSlice> lost;  ///< ascending
  /// No motion was found: all parameters are 0. Without distortion the volumes were not interpolated.
  bool still = false;
  std::shared_ptr<const Volume<float>> field;  ///< that distorted the series, Hz; null: it was left in
  Notes notes;
  std::vector<StageTime> stages;
};

/// A series in which no point of the head moves further than this from where it was in the first volume, mm,
/// is left as it is: predictions hardly tell less.
inline constexpr double kStillDiffusion = 0.7;

/// Finds how the head moved between the volumes of a diffusion series and which slices were lost to motion,
/// and takes both out. Each volume is realigned, rigidly, to what the other volumes of its shell predict of
/// it by spherical harmonics; each shell to the unweighted volumes by mutual information. A shell of fewer
/// than six volumes is realigned as a whole.
///
/// @throws Error  for a series without a gradient for each volume, for less than two volumes or
///                kFewestVoxels along an axis, where there is no contrast or too little of the head in view;
///                Cancelled
/// Andersson and Sotiropoulos, NeuroImage 125 (2016) 1063, realign volumes to their predictions, too.
using RealignDiffusion = DiffusionMotionResult(const DiffusionMotionInput& input, const Progress& progress);

/// On the CPU, on all threads of the withThreads() scope.
RealignDiffusion realignDiffusion;

}  // namespace sulcus::preparation
