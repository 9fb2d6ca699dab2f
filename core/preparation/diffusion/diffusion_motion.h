#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/diffusion/gradients.h"
#include "core/image/volume.h"
#include "core/preparation/diffusion/eddy_currents.h"
#include "core/preparation/diffusion/lost_slices.h"
#include "core/preparation/distortion/series_field.h"
#include "core/preparation/motion.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::preparation {

/// A diffusion series to be realigned.
struct DiffusionMotionInput {
  std::shared_ptr<const Series<float>> dwi;
  GradientTable gradients;  ///< a row for each volume
  FieldScans field = {};    ///< to find the distortion
  /// Voxel axis of the phase encoding, along which eddy currents are corrected; null: they are not.
  std::optional<int> phaseAxis = {};
};

/// A realigned diffusion series.
struct DiffusionMotionResult {
  /// Each volume as if the head had stayed where it was in the first one, in a homogeneous field:
  /// interpolated once, by a cubic B-spline. 0, a missing value, where a volume does not extend and where its
  /// slice was lost.
  std::shared_ptr<const Series<float>> dwi;
  GradientTable gradients;      ///< rotated with the head
  std::vector<Motion> motion;   ///< one per volume, relative to the first one
  std::vector<LostSlice> lost;  ///< ascending
  std::vector<EddyTerms> eddy;  ///< one per volume; empty: not looked for
  /// No motion was found: all parameters are 0. Without distortion, the volumes were not interpolated.
  bool still = false;
  std::shared_ptr<const Volume<float>> field;  ///< that distorted the series, Hz; null: not corrected
  Notes notes;
  std::vector<StageTime> stages;
};

/// A series in which no point of the head moves further than this from its position in the first volume, mm,
/// is left unchanged: predictions are hardly more precise.
inline constexpr double kStillDiffusion = 0.7;

/// Finds how the head moved between the volumes of a diffusion series and which slices were lost to motion,
/// and corrects both. Each volume is rigidly realigned to its prediction from the other volumes of its shell
/// by spherical harmonics; each shell to the unweighted volumes by mutual information. A shell of fewer than
/// six volumes is realigned as a whole. Displacement by eddy currents is found along with the motion, as far
/// as it is proportional to the gradient (eddy_response.h), from shells of at least twelve volumes. Gradients
/// are rotated by the motion alone.
///
/// @throws Error  for a series without a gradient for each volume, for fewer than two volumes or fewer than
///                kFewestVoxels along an axis, or if there is no contrast or too little of the head in view;
///                Cancelled
/// Andersson and Sotiropoulos, NeuroImage 125 (2016) 1063, also realign volumes to their predictions.
using RealignDiffusion = DiffusionMotionResult(const DiffusionMotionInput& input, const Progress& progress);

/// On the CPU, on all threads of the withThreads() scope.
RealignDiffusion realignDiffusion;

}  // namespace sulcus::preparation
