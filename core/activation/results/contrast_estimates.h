#pragma once

#include "core/activation/activation.h"

#include <span>
#include <vector>

namespace sulcus::activation {

/// Least-squares estimates of a contrast c'β with their standard errors, M each, in the unit of the response.
/// They include no prior of the coefficients.
struct ContrastEstimates {
  std::vector<float> effect;  ///< c'β̂
  std::vector<float> error;  ///< √(s² c'(X'X)⁻¹c), s² the residual variance; from whitened series and designs
                             ///< if the noise has memory
  std::vector<float> freedom;  ///< of the squared errors: n − k, or effectiveFreedom()
  /// The error common to the estimates of all voxels (common_noise.h): its mean in each voxel, empty if there
  /// is none, and its s.d. `effect` includes it.
  std::vector<float> common;
  double commonSd = 0;

  float t(std::size_t voxel) const { return effect[voxel] / error[voxel]; }
  /// The normal deviate with the same tail as t().
  float z(std::size_t voxel) const;
  /// The standard error for which the effect would be z() normal standard errors from 0.
  float normalError(std::size_t voxel) const;
};

/// @param weights  c, k numbers
ContrastEstimates estimateContrast(const ActivationResult& result, std::span<const double> weights,
                                   const Progress& progress = {});

/// The normal deviate z with P(N(0, 1) > z) = P(t_ν > t). Within 1e-4 of z for ν ≥ 5 and |t| ≤ 10.
/// Hill, Communications of the ACM 13 (1970) 617, algorithm 395.
///
/// @param freedom  ν ≥ 1
double normalFromT(double t, double freedom);

}  // namespace sulcus::activation
