#pragma once

#include "core/activation/activation.h"
#include "core/activation/model/noise.h"
#include "core/activation/sampler/series_blocks.h"
#include "core/math/linear_algebra.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::activation {

/// Why a voxel of the mask is not analyzed: its series is not finite or too large, constant, too small for
/// float32 (raw), or without a positive mean (percent); the design explains it exactly; or a tissue map is
/// not finite.
enum class Exclusion : std::uint8_t { none, notSound, constant, tiny, noMean, exact, tissue };

/// Least-squares fits of C voxels, float32, voxels fastest.
struct VoxelFits {
  std::vector<float> estimate;  ///< (k, C): γ = Q'y
  std::vector<float> residual;  ///< C: RSS = ‖y − Qγ‖²
  std::vector<float> total;     ///< C: Σ(y − ȳ)²
  std::vector<float> lagSums;   ///< (4, C): Σ_t r_t r_{t−l} of the residuals r; empty unless requested
  std::vector<Exclusion> exclusion;  ///< C; the other values of an excluded voxel are meaningless
};

/// The basis for the regression of a slice's voxels: Q of (C, X) = QR with X at the slice's time. With X the
/// design's own, γ would be T times the γ of this X, for the same β.
struct SliceBasis {
  Eigen::MatrixXd q;        ///< n × (r + k), orthonormal columns; the first r span the confounds
  Eigen::MatrixXd toGamma;  ///< T, k × k; empty: the identity
};

/// The QR decomposition of (C, X).
ThinQr decompositionOf(const Design& design);
/// One for each slice, or a single one if all slices represent one time.
std::vector<SliceBasis> basesOf(const Design& design);

/// Regresses the response of each voxel, computed separately for each run, on orthonormal columns, in double,
/// in one pass over the series. The first r columns span the confounds: only the k others have estimates.
///
/// @param bases   basesOf(input.design)
/// @param voxels   C grid indices, ascending
/// @param lagSums  whether to compute them
VoxelFits fitVoxels(const ActivationInput& input, Response response, const std::vector<SliceBasis>& bases,
                    const std::vector<std::int64_t>& voxels, bool lagSums, const Progress& progress);

/// Sets `precision` and `correlated` of the problem if slices have their own designs and the noise is white:
/// H = T⁻ᵀT⁻¹.
///
/// @param voxels  M grid indices, those of the problem
void setPrecisions(const std::vector<SliceBasis>& bases, const Grid& grid,
                   const std::vector<std::int64_t>& voxels, GibbsProblem& problem);

/// H of a voxel of a correlated problem; above the diagonal undefined.
Eigen::MatrixXd precisionAt(const GibbsProblem& problem, std::int64_t voxel);

/// Fits series and design of each voxel again, whitened by the filter of its noise: replaces `estimate` and
/// `residual` of the problem and sets `precision` and `correlated`. H is what remains for the regressors once
/// the confounds are integrated out, H_kk − H_kr H_rr⁻¹ H_rk.
///
/// @param bases   as for fitVoxels()
/// @param result  has the voxels of the problem and their noise
void fitWhitened(const ActivationInput& input, Response response, const std::vector<SliceBasis>& bases,
                 const ActivationResult& result, GibbsProblem& problem, const Progress& progress);

/// A sentence on how many voxels were excluded and why, "" if none was. Throws Error if none is left.
std::string exclusionNote(const VoxelFits& fits);

/// The responses of these voxels, n × voxels; 0 if a series has none.
///
/// @param voxels  grid indices, ascending
SeriesRows responsesOf(const Series<float>& bold, const std::vector<Run>& runs, Response response,
                       const std::vector<std::int64_t>& voxels, const Progress& progress);

/// Converts the series of a voxel to its response: (value − offset) · scale.
struct ResponseScale {
  double offset = 0, scale = 1;
};
/// The response of one voxel, n numbers; nullopt if its series excludes it.
///
/// @param voxel  grid index
std::optional<Eigen::VectorXd> responseAt(const Series<float>& bold, const std::vector<Run>& runs,
                                          Response response, std::int64_t voxel);
/// The conversion of the series of one voxel of a single run to its response.
///
/// @param voxel  grid index
std::optional<ResponseScale> responseScaleAt(const Series<float>& bold, Response response,
                                             std::int64_t voxel);

}  // namespace sulcus::activation
