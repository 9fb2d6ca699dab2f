#pragma once

#include "core/base/progress.h"
#include "core/fibers/csd.h"
#include "core/fibers/tissues.h"
#include "core/math/vec3.h"

#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace sulcus::fibers {

/// What a deconvolution makes of simulated voxels in which two fibers of equal shares cross.
struct CrossingTrial {
  /// Amplitude over the residual of the voxel's fit that noise alone reaches in a given share of the wide
  /// crossings; less where that would lose more fibers than it spares false peaks. Smaller peaks are not to
  /// be trusted.
  double cut = 0;
  double falsePeaks =
      0;            ///< share of the wide crossings and voxels without fibers in which noise reaches the cut
  double wide = 0;  ///< share of the voxels with two peaks above the cut where fibers cross at 75° to 90°
  double narrow = 0;  ///< the same at 35° to 45°
  double weak = 0;    ///< share of the wide crossings whose fibers would reach the cut with 0.3 of the signal
  double error = 0;   ///< median angle between the worse fiber and its peak in wide crossings, degrees
};

/// What a deconvolution made of one simulated voxel.
struct CrossingOutcome {
  double falsePeak = 0;  ///< the largest amplitude over the residual of the peaks that are not a fiber's own
  double fiber = 0;      ///< the smaller one of the fibers' own, 0 where a fiber has none
  double error = 90;     ///< of the worse fiber, degrees
};
struct CrossingOutcomes {
  std::vector<CrossingOutcome> wide, narrow;  ///< of voxels where fibers cross at 75° to 90°, at 35° to 45°
  std::vector<CrossingOutcome> withoutFibers;  ///< every peak is false there
};

/// A deconvolution that is tried.
struct TriedModel {
  int order = 0;
  Eigen::MatrixXf fiberSignal;  ///< n × U: S/S0 from the harmonics of a fiber distribution
  /// The harmonics, U × voxels, from ratios S/S0, n × voxels, which become the misfit.
  std::function<Eigen::MatrixXf(Eigen::MatrixXf& ratios)> deconvolve;
  /// S/S0 of voxels without fibers, n × tissues, and S0 of the tissues over that of white matter.
  Eigen::MatrixXf isotropic = {};
  std::vector<double> unweighted = {};
};
TriedModel triedModel(const CsdPlan& plan);
TriedModel triedModel(const TissuePlan& plan);

/// Deconvolves simulated voxels, 1000 with wide and 500 with narrow crossings anywhere on the sphere, whose
/// signal is that of the model's response with Rician noise; and 500 voxels of each tissue without fibers,
/// where every peak is false. The numbers are the same every time. On all threads.
///
/// @param noise  standard deviation of S/S0, in white matter
CrossingOutcomes tryCrossings(const TriedModel& model, double noise, const Progress& progress);

/// @param falsePeaks  share of the wide crossings and of the voxels without fibers that may have a peak of
///                    noise
CrossingTrial judgeCrossings(const CrossingOutcomes& outcomes, double falsePeaks);

/// The standard deviation of the noise of S/S0: the median over the voxels of what a least-squares fit of
/// harmonics leaves over, of the highest order up to 8 that leaves 15 degrees of freedom.
///
/// @param ratios      S/S0, n × voxels
/// @param directions  n unit vectors
/// @return            0 where there are too few directions
double noiseOfRatios(const Eigen::MatrixXf& ratios, std::span<const Vec3<double>> directions);

}  // namespace sulcus::fibers
