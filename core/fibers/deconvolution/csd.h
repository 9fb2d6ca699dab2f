#pragma once

#include "core/base/progress.h"
#include "core/image/diffusion/tensor_index.h"
#include "core/math/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sulcus::fibers {

/// Number of the directions at which negative values of a fiber distribution are penalized.
inline constexpr int kCsdDirections = 300;
/// kCsdDirections rounded up to a multiple of 8 floats.
inline constexpr int kCsdPaddedRows = 304;

/// Row length of the matrices below: `entries` rounded up to a multiple of 8 floats; padded with zeros.
constexpr int csdStride(int entries) { return (entries + 7) / 8 * 8; }

/// Data shared by the deconvolutions of all voxels (symbols as in csd_kernel.h). Matrices are float32 by
/// rows; U = tensorEntries(order), n = number of directions, stride = csdStride(U). Harmonics are in basis
/// tournier07 and world axes, signals are ratios S/S0.
struct CsdPlan {
  int order = 0;
  std::vector<double> response;    ///< zonal harmonics r_0 … r_order of the signal of a fiber along z
  std::vector<float> projection;   ///< U × n: Aᵀ
  std::vector<float> predict;      ///< n × U: A
  std::vector<float> start;        ///< U × n: the linear fit of degree ≤ 4 that starts the iteration
  std::vector<float> normal;       ///< U × stride: AᵀA + ε²I
  std::vector<float> normalAll;    ///< U × stride: AᵀA + ε²I + Σ_r b_r b_rᵀ over all directions
  std::vector<float> constraints;  ///< kCsdDirections × stride: the rows b_r
  std::vector<float> constraintsTransposed;  ///< U × kCsdPaddedRows
};

/// Computes the data shared by the deconvolutions of all voxels.
///
/// @param order       2, 4, … 12; may exceed what the directions alone determine (super-resolution)
/// @param response    r_0 … r_order (see CsdPlan)
/// @param directions  n unit gradient directions of one shell, world axes
/// @param noise       standard deviation of S/S0, which sets the weight of the constraint for orders above 8;
///                    0: little
CsdPlan planCsd(int order, const std::vector<double>& response, std::span<const Vec3<double>> directions,
                double noise = 0);

/// Deconvolves `count` voxels.
///
/// @param right   count × stride: Aᵀs of each voxel, s = S/S0, padded with zeros
/// @param fibers  count × stride, padded with zeros: spherical harmonics of the fiber distributions. On entry
///                the start of the iteration, on return the minimizers
/// @return        total number of Newton steps of all voxels
std::int64_t solveCsd(const CsdPlan& plan, int count, const float* right, float* fibers);

/// The measurements of a single-fiber voxel.
struct ResponseSample {
  std::vector<float> ratios;  ///< S/S0 of each direction
  Vec3<double> axis;          ///< of the fiber: unit, world axes
};

/// The response r_0 … r_order: zonal harmonics about the fibers' axes, fitted to all samples at once by least
/// squares in double.
///
/// @param directions  of the ratios of every sample: unit, world axes
std::vector<double> fitResponse(int order, std::span<const Vec3<double>> directions,
                                std::span<const ResponseSample> samples, const Progress& progress = {});

}  // namespace sulcus::fibers
