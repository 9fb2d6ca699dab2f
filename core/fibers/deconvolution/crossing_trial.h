#pragma once

#include "core/base/progress.h"
#include "core/fibers/deconvolution/csd.h"
#include "core/fibers/deconvolution/tissues.h"
#include "core/math/vec3.h"

#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace sulcus::fibers {

/// The outcome of a deconvolution in simulated voxels: with two fibers, with three, with fibers mixed with
/// other tissue, and with none.
struct CrossingTrial {
  /// Threshold of amplitude over the residual of the voxel's fit below which peaks are not trusted: noise
  /// alone reaches it in a given share of the wide crossings, or less if the threshold for that would lose
  /// more fibers than it avoids false peaks.
  double cut = 0;
  /// Threshold of the standard deviation of S/S0 over the directions, relative to the residual, below which
  /// there is no fiber; 0 if the model includes tissues without fibers.
  double flat = 0;
  double falsePeaks = 0;  ///< share of the wide crossings, and for a model with tissues of the voxels without
                          ///< fibers, in which noise reaches the cut
  // Shares of the voxels with as many peaks as fibers, each peak closest to its own fiber:
  double wide = 0;    ///< two fibers at 75° to 90°
  double narrow = 0;  ///< two at 35° to 45°
  double three = 0;   ///< three fibers at 90°
  double mixed = 0;   ///< two at 60° to 90° mixed with as much other tissue
  double none = 0;    ///< none, in other tissue
};

/// The result of a deconvolution in one simulated voxel.
struct CrossingOutcome {
  double falsePeak = 0;  ///< largest amplitude over the residual among peaks that belong to no fiber
  double fiber = 0;      ///< smallest such value among the fibers' own peaks, 0 if a fiber has none
  double spread = 0;     ///< standard deviation of S/S0 over the residual
};
/// Outcomes for the voxels of CrossingTrial, and for two fibers at 75° to 90° one of which has 0.3 of the
/// signal.
struct CrossingOutcomes {
  std::vector<CrossingOutcome> wide, weak, narrow, three, mixed, none;
  bool knowsTissues = false;  ///< whether tissue without fibers has compartments of its own
};

/// A deconvolution to be tried.
struct TriedModel {
  int order = 0;
  Eigen::MatrixXf fiberSignal;  ///< n × U: maps the harmonics of a fiber distribution to S/S0
  /// Computes the harmonics, U × voxels, from ratios S/S0, n × voxels, which are replaced by the misfit.
  std::function<Eigen::MatrixXf(Eigen::MatrixXf& ratios)> deconvolve;
  /// S/S0 of voxels without fibers, n × tissues, and S0 of the tissues relative to that of white matter.
  Eigen::MatrixXf isotropic;
  std::vector<double> unweighted;
  bool knowsTissues = false;
};
TriedModel triedModel(const CsdPlan& plan);
TriedModel triedModel(const TissuePlan& plan);

/// Deconvolves simulated voxels whose signal follows the model's response with noise, with directions
/// anywhere on the sphere; each tissue also has voxels of its own, mixed and without fibers. The random
/// numbers are the same every time. Runs on all threads.
///
/// @param noise  standard deviation of S/S0, in white matter
CrossingOutcomes tryCrossings(const TriedModel& model, double noise, const Progress& progress);

/// @param falsePeaks  share of the wide crossings and, for a model with tissues, of the voxels without fibers
///                    that may have a peak of noise
CrossingTrial judgeCrossings(const CrossingOutcomes& outcomes, double falsePeaks);

/// The standard deviation of the noise of S/S0: the median over the voxels of the residual of a least-squares
/// fit of harmonics of the highest order up to 8 that leaves 13 degrees of freedom; S are magnitudes, whose
/// smallest values vary less.
///
/// @param ratios      S/S0, n × voxels
/// @param directions  n unit vectors
/// @return            0 if there are too few directions
double noiseOfRatios(const Eigen::MatrixXf& ratios, std::span<const Vec3<double>> directions);

}  // namespace sulcus::fibers
