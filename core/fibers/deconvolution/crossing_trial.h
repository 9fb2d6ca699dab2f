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

/// The outcome of a deconvolution in simulated voxels: two fibers, three, some beside other tissue, and none.
struct CrossingTrial {
  /// Amplitude over the residual of the voxel's fit below which peaks are not to be trusted: noise alone
  /// reaches it in a given share of the wide crossings, or less where that would lose more fibers than it
  /// spares false peaks.
  double cut = 0;
  /// Standard deviation of S/S0 over the directions, over the residual, below which there is no fiber; 0
  /// where the model knows tissues without fibers.
  double flat = 0;
  double falsePeaks = 0;  ///< share of the wide crossings, of a model of tissues also of the voxels without
                          ///< fibers, in which noise reaches the cut
  // Shares of the voxels with as many peaks as fibers, each nearest to its own:
  double wide = 0;    ///< two fibers at 75° to 90°
  double narrow = 0;  ///< two at 35° to 45°
  double three = 0;   ///< three at 90°
  double mixed = 0;   ///< two at 60° to 90° beside as much of other tissue
  double none = 0;    ///< none, in other tissue
};

/// What a deconvolution made of one simulated voxel.
struct CrossingOutcome {
  double falsePeak = 0;  ///< the largest amplitude over the residual of the peaks that are not a fiber's own
  double fiber = 0;      ///< the smallest one of the fibers' own, 0 where a fiber has none
  double spread = 0;     ///< standard deviation of S/S0 over the residual
};
/// Of voxels as in CrossingTrial, and of two fibers at 75° to 90° one of which has 0.3 of the signal.
struct CrossingOutcomes {
  std::vector<CrossingOutcome> wide, weak, narrow, three, mixed, none;
  bool knowsTissues = false;  ///< whether the model explains tissue without fibers by other than fibers
};

/// A deconvolution that is tried.
struct TriedModel {
  int order = 0;
  Eigen::MatrixXf fiberSignal;  ///< n × U: S/S0 from the harmonics of a fiber distribution
  /// The harmonics, U × voxels, from ratios S/S0, n × voxels, which become the misfit.
  std::function<Eigen::MatrixXf(Eigen::MatrixXf& ratios)> deconvolve;
  /// S/S0 of voxels without fibers, n × tissues, and S0 of the tissues over that of white matter.
  Eigen::MatrixXf isotropic;
  std::vector<double> unweighted;
  bool knowsTissues = false;
};
TriedModel triedModel(const CsdPlan& plan);
TriedModel triedModel(const TissuePlan& plan);

/// Deconvolves simulated voxels whose signal is that of the model's response with noise, in directions
/// anywhere on the sphere; of each tissue its own, mixed and without fibers. The numbers are the same every
/// time. On all threads.
///
/// @param noise  standard deviation of S/S0, in white matter
CrossingOutcomes tryCrossings(const TriedModel& model, double noise, const Progress& progress);

/// @param falsePeaks  share of the wide crossings and, of a model of tissues, of the voxels without fibers
/// that
///                    may have a peak of noise
CrossingTrial judgeCrossings(const CrossingOutcomes& outcomes, double falsePeaks);

/// The standard deviation of the noise of S/S0: the median over the voxels of what a least-squares fit of
/// harmonics leaves over, of the highest order up to 8 that leaves 13 degrees of freedom; S are magnitudes,
/// whose smallest values vary less.
///
/// @param ratios      S/S0, n × voxels
/// @param directions  n unit vectors
/// @return            0 where there are too few directions
double noiseOfRatios(const Eigen::MatrixXf& ratios, std::span<const Vec3<double>> directions);

}  // namespace sulcus::fibers
