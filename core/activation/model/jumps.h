#pragma once

#include "core/activation/activation.h"
#include "core/activation/sampler/series_blocks.h"
#include "core/base/note.h"

#include <vector>

namespace sulcus::activation {

/// The scans that jump: whose median residual over the voxels lies farther from what the scans around it and
/// the memory of that median say than noise does (five s.d., and half the s.d. of a voxel), or in which the
/// residuals of the voxels spread half as much again as in the scans around it. One or up to ten
/// scans between two steps are looked for; the largest are taken out first, then what stands out without
/// them. Ascending; none where there are fewer than 20 voxels.
///
/// @param responses  n × voxels; those of a voxel that are all 0 do not count
/// @param q          orthonormal columns that span confounds and regressors
/// @param noise      of the median over the voxels
std::vector<int> jumpsIn(const SeriesRows& responses, const Eigen::MatrixXd& q, const std::vector<Run>& runs,
                         Noise noise);

/// Adds a confound for each scan that jumps, which takes it out, and a note that names them. Where they are
/// more than a fifth of the scans, or a regressor would be lost with them, all stay in, and the note warns.
///
/// @param voxels  indices in the grid, ascending
void takeOutJumps(const Series<float>& bold, const ActivationOptions& options,
                  const std::vector<std::int64_t>& voxels, Design& design, Notes& notes,
                  const Progress& progress);

}  // namespace sulcus::activation
