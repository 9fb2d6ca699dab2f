#pragma once

#include "core/activation/activation.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus {

/// Why a voxel of the mask is not worked on.
enum class Drop : std::uint8_t { none, notSound, constant, tiny, noMean, exact, tissue };

/// Least squares in C voxels, those dropped included, float32.
struct VoxelFits {
  std::vector<float> estimate;  ///< γ = Q'y, (k, C)
  std::vector<float> residual;  ///< RSS = ‖y − Qγ‖², C
  std::vector<float> total;     ///< Σ(y − ȳ)², C
  std::vector<Drop> drop;       ///< C; where not none the numbers mean nothing
};

/// The response of every voxel on orthonormal columns, in double, in one pass over the series.
/// @param q       n × k
/// @param voxels  indices in the grid, ascending
VoxelFits fitVoxels(const ActivationInput& input, Response response, const Eigen::MatrixXd& q,
                    const std::vector<std::int64_t>& voxels, const Progress& progress);

/// How many voxels were dropped and why, "" when none was; throws Error when none is left.
std::string droppedNote(const VoxelFits& fits);

/// What turns a voxel's series into its response: (value − offset) · scale.
struct ResponseScale {
  double offset = 0, scale = 1;
};
/// @return nothing where it cannot be had: series not sound, constant, raw and tiny, or percent of a mean
/// that is not positive
std::optional<ResponseScale> responseScaleAt(const Series<float>& bold, Response response,
                                             std::int64_t voxel);

}  // namespace sulcus
