#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/fibers/fiber_plan.h"
#include "core/image/volume.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace sulcus::fibers {

/// r_0 of a signal that is 1 everywhere: √(4π).
inline const double kUnitHarmonic = std::sqrt(4 * std::numbers::pi);

/// The response function, the signal S/S0 of a single fiber, and its origin.
struct FiberResponse {
  std::vector<double> zonal;         ///< r_0 … r_order, see CsdPlan
  std::vector<std::int64_t> voxels;  ///< grid indices, ascending, of the voxels it was fitted to
  std::vector<Vec3<double>> axes;    ///< of their fibers: unit, world axes
  Notes notes;                       ///< its description and origin, then warnings
};

/// Fractional anisotropies of some voxels from a tensor fitted to the weighted volumes of the plan; 0 if it
/// is not positive definite. Runs on all threads.
///
/// @param plan        whose volumes and b-values must be set
/// @param directions  of plan.weighted: unit, world axes
std::vector<float> fractionalAnisotropies(const Series<float>& dwi, const FiberPlan& plan,
                                          std::span<const std::int64_t> voxels,
                                          std::span<const Vec3<double>> directions, const Progress& progress);

/// "0.846, -0.578, 0.288".
std::string termsText(std::span<const double> zonal);

/// The signal S/S0 of a response in a direction at an angle (radians) from the fiber.
double responseAt(std::span<const double> zonal, double angle);

/// Throws Error unless the response is that of a fiber: of a plausible size, with terms that a positive
/// signal can have (|r_l| ≤ √(2l + 1) r_0, twice that for ringing), and lower along the fiber than across it.
///
/// @param origin  its description for the message: "The response in 'wm.txt'"
void checkResponse(std::span<const double> zonal, const std::string& origin);

/// Estimates the response from voxels with a single fiber, which are found by the deconvolution itself
/// (Tournier, Calamante & Connelly, NMR Biomed 26 (2013) 1775). The first response is that of the voxels with
/// the highest fractional anisotropy whose unweighted signal is at least half the median (noise outside the
/// head is anisotropic too). Then, at most ten times: ten times as many of the most anisotropic voxels are
/// deconvolved, and those with the smallest second peak give the next response, until they no longer change.
/// Runs on all threads.
///
/// @param plan        whose voxels, volumes, b-values and order must be set
/// @param signal      mean unweighted signal of every voxel of the grid
/// @param directions  of plan.weighted: unit, world axes
/// @throws Error if no voxel has a positive definite tensor or the response is flat; Cancelled
FiberResponse estimateResponse(const Series<float>& dwi, const FiberPlan& plan,
                               const std::vector<float>& signal, std::span<const Vec3<double>> directions,
                               const Progress& progress);

/// The voxels and axes that estimateResponse() starts from, the most anisotropic ones; without a response.
FiberResponse mostAnisotropicFibers(const Series<float>& dwi, const FiberPlan& plan,
                                    const std::vector<float>& signal,
                                    std::span<const Vec3<double>> directions, const Progress& progress);

}  // namespace sulcus::fibers
