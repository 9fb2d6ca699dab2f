#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/fibers/deconvolution/crossing_trial.h"
#include "core/fibers/deconvolution/csd.h"
#include "core/fibers/deconvolution/tissues.h"
#include "core/fibers/fibers.h"
#include "core/fibers/models/models_kernel.h"
#include "core/fibers/peaks/peaks_kernel.h"
#include "core/image/diffusion/tensor_index.h"
#include "core/image/grid.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::fibers {

inline constexpr const char* kResponseStage = "Response";  ///< everything before the first voxel

/// The numbers that determine the sizes of the matrices and maps of a run; they follow from the options and
/// the kind of the input.
struct FiberSizes {
  FiberModel model = FiberModel::csd;
  int order = 8;
  int unweighted = 0, weighted = 0;  ///< how many volumes are used; 0 for sh and tensor

  int entries() const { return tensorEntries(order); }
  /// Number of the coefficients c of a voxel; see FiberPlan.
  int coefficients() const { return model == FiberModel::msmt ? tissueUnknowns(order) : entries(); }
  /// Number of tissue volumes.
  int tissues() const { return model == FiberModel::msmt ? kTissues : 0; }
  /// Whether coefficients are fitted to a signal; otherwise the image itself holds them, or the tensor.
  bool isFitted() const { return model != FiberModel::sh && model != FiberModel::tensor; }
};

/// The sizes that planFibers would choose.
///
/// @throws Error  as planFibers, if the input and the options are incompatible
FiberSizes fiberSizes(const FiberInput& input, const FiberOptions& options);

/// Everything that is decided before the first voxel, the same for CPU and GPU. Matrices are float32 by
/// rows.
///
/// In each voxel, with U = entries and n = weighted.size():
///   S0 = the mean of the unweighted volumes; only voxels where it is above 0 are in `voxels`
///   t = transformRatio(transform, S/S0, b), n values
///   c = fit · t, or solveCsd(csd, S/S0) for csd: U spherical harmonics, basis tournier07, world axes
///   a = tensorFromCoefficients · c + offset: U tensor entries, order of tensor_index.h, world axes
///   residual = r.m.s. of S/S0 − ratioFromTransformed(transform, predict · c, b) over the n volumes
///   anisotropy = generalizedAnisotropy(harmonicsFromTensor · a)
/// For msmt c = solveTissues(tissues, tissues.projection · S/S0 + tissues.constant) are V =
/// tissueUnknowns(order) numbers; a, the residual and the volumes, tissues.volumes · c, are multiplied by
/// S0/tissues.unit. For the model sh, c are the first U volumes of the image in its own basis and frame; for
/// tensor, a is the image.
struct FiberPlan {
  FiberModel model = FiberModel::csd;
  int order = 8;
  int entries = 45;  ///< U
  Notes notes;       ///< what was chosen and why, and what was skipped

  Grid grid;
  std::vector<std::int64_t> voxels;   ///< grid indices of the voxels to fit, ascending
  std::int64_t skippedNotFinite = 0;  ///< voxels of the mask whose values are not finite or too large
  std::int64_t skippedNoSignal = 0;   ///< voxels of the mask whose mean unweighted signal is not above 0

  std::vector<int> unweighted, weighted;  ///< indices of the volumes that are used
  /// The diffusion series with missing values replaced (missing_values.h); null: that of the input is used.
  std::shared_ptr<const Series<float>> filled;
  SignalTransform transform = SignalTransform::ratio;
  std::vector<float> bValues;  ///< of `weighted`, s/mm², minus that of the unweighted volumes
  double baseline = 0;         ///< b-value of the unweighted volumes, 0 if negligible

  std::vector<float> fit;      ///< U × n; empty for csd (which has csd.projection and csd.start), sh, tensor
  std::vector<float> predict;  ///< n × U (msmt: V); empty for sh, tensor
  std::vector<float> tensorFromCoefficients;            ///< U × U (msmt: V); empty for tensor
  std::vector<float> offset;                            ///< U
  std::vector<float> harmonicsFromTensor;               ///< U × U
  CsdPlan csd;                                          ///< for model csd
  std::vector<std::int64_t> responseVoxels;             ///< grid indices, ascending; empty if it was given
  TissuePlan tissues;                                   ///< for model msmt
  std::vector<TissueResponse> tissueResponses;          ///< as in FiberMaps
  std::vector<double> shells;                           ///< as in FiberMaps
  std::vector<std::vector<std::int64_t>> tissueVoxels;  ///< as in FiberMaps; empty if they were given
  AmplitudeCut cut;                                     ///< of the peaks

  /// The diffusion series to fit.
  const Series<float>& dwi(const FiberInput& input) const { return filled ? *filled : *input.dwi; }
  FiberSizes sizes() const { return {model, order, int(unweighted.size()), int(weighted.size())}; }
};

/// The expensive part of a plan, which does not depend on how peaks are searched and selected: voxels,
/// responses, and the effect of noise on simulated crossings.
struct PreparedFiberModel {
  FiberPlan plan;                         ///< without the cut, which follows from the trial
  double noise = 0;                       ///< standard deviation of S/S0, 0 if unknown
  std::optional<CrossingOutcomes> trial;  ///< of a deconvolution, if requested
};

/// The options that the prepared model depends on, with the others at their defaults. Whether peaks of noise
/// are removed at all is one of them, to what degree is not.
FiberOptions preparedModelOptions(const FiberOptions& options);

/// Checks the input and computes the prepared model, on all threads.
///
/// @throws Error for input or options that cannot be used; Cancelled
PreparedFiberModel prepareFibers(const FiberInput& input, const FiberOptions& options,
                                 const Progress& progress);

/// Decides everything that does not depend on a single voxel, using the prepared model of the input, or else
/// that of prepareFibers().
///
/// @throws Error, Cancelled  as prepareFibers()
FiberPlan planFibers(const FiberInput& input, const FiberOptions& options, const Progress& progress);

/// Adds the information in the plan to the maps, and notes on the search for peaks.
/// @param notFinite  number of voxels of the plan whose function is not finite
void describeMaps(FiberPlan plan, std::int64_t notFinite, FiberMaps& maps);

/// A line for the form: which model and order a run would use and why; "" without an image. Throws Error if
/// it cannot run.
std::string validateFibers(const FiberInput& input, const FiberOptions& options);

}  // namespace sulcus::fibers
