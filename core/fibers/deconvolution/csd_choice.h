#pragma once

#include "core/base/progress.h"
#include "core/fibers/deconvolution/crossing_trial.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/fiber_plan.h"

#include <span>
#include <vector>

namespace sulcus::fibers {

/// An even sample of the voxels of the plan, from which the noise is estimated.
std::vector<std::int64_t> voxelsForNoise(const FiberPlan& plan);

/// The standard deviation of the noise of S/S0 in volumes of one shell: its median over voxelsForNoise(); 0
/// if the directions are too few to estimate it.
double noiseOfShell(const Series<float>& dwi, const FiberPlan& plan, std::span<const int> volumes,
                    std::span<const Vec3<double>> directions);

/// The trial of a deconvolution with the measured noise, or with the least noise that is informative.
CrossingOutcomes tryWithNoise(const TriedModel& model, double noise, const Progress& progress);

/// Sets the cut of the plan to that of the trial and adds notes on it and on the results of the trial, with a
/// warning if it leaves more false peaks than the requested share.
void setCut(double noise, const CrossingTrial& trial, double falsePeaks, FiberPlan& plan);

/// Determines the parts of a deconvolution that depend on the values of the scan: the response, given or
/// estimated, the noise, and the trial. Sets csd, predict and responseVoxels of the plan and adds notes; its
/// order, voxels, volumes and b-values must be set. Runs on all threads.
///
/// @param signal  mean unweighted signal of every voxel of the grid
/// @throws Error  if the response cannot be used; Cancelled
void prepareDeconvolution(const FiberInput& input, const FiberOptions& options, const FiberChoice& choice,
                          const std::vector<float>& signal, const Progress& progress,
                          PreparedFiberModel& work);

}  // namespace sulcus::fibers
