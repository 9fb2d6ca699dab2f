#pragma once

#include "core/base/progress.h"
#include "core/fibers/tensor_index.h"
#include "core/math/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sulcus {

/// Directions at which a fiber distribution is kept from being negative.
inline constexpr int kCsdDirections = 300;
/// The same, rounded up to whole vectors of 8.
inline constexpr int kCsdPaddedDirections = 304;

/// Row length of the matrices below: U rounded up to whole vectors of 8, padded with zeros.
constexpr int csdStride(int entries) { return (entries + 7) / 8 * 8; }

/// What the deconvolutions of all voxels share. Row-major float32, U = tensorEntries(order), n directions.
struct CsdPlan {
  int order = 0;
  std::vector<double> response;    ///< zonal harmonics r_0, r_2, …, r_order of a single fiber along z, S/S0
  std::vector<float> projection;   ///< U × n: Aᵀ
  std::vector<float> predict;      ///< n × U: A
  std::vector<float> start;        ///< U × n: linear fit of degree ≤ 4, where the iteration begins
  std::vector<float> normal;       ///< U × stride: AᵀA + ε²I
  std::vector<float> normalAll;    ///< U × stride: the same with every constraint active
  std::vector<float> constraints;  ///< kCsdDirections × stride: b_r
  std::vector<float> constraintsTransposed;  ///< U × kCsdPaddedDirections
};

/// @param response    r_0 … r_order (see CsdPlan)
/// @param directions  unit gradients of one shell, n of them
CsdPlan planCsd(int order, const std::vector<double>& response, std::span<const Vec3<double>> directions);

/// The minimiser for `count` voxels.
///
/// @param right   count × stride: Aᵀs per voxel, padded with zeros
/// @param fibers  count × stride: in: start, out: spherical harmonics (tournier07) of the fiber distribution
/// @return        Newton steps of all voxels together
std::int64_t solveCsd(const CsdPlan& plan, int count, const float* right, float* fibers);

/// One voxel of measurements for the response: S/S0 per direction, and the fiber's axis (unit).
struct ResponseSample {
  std::vector<float> ratios;
  Vec3<double> axis;
};

/// r_0 … r_order: zonal harmonics about their axes fitted to all samples at once, in double.
std::vector<double> fitResponse(int order, std::span<const Vec3<double>> directions,
                                std::span<const ResponseSample> samples, const Progress& progress = {});

}  // namespace sulcus
