#pragma once

#include "core/activation/activation.h"
#include "core/activation/sampler/series_blocks.h"
#include "core/base/note.h"

#include <vector>

namespace sulcus::activation {

/// The scans that jump: whose median residual over the voxels deviates from the prediction by the scans
/// around it and the memory of that median by more than noise (five s.d., and half the s.d. of a voxel), or
/// whose spread of residuals over the voxels is half as large again as in the scans around it. Runs of one to
/// ten scans between two steps are searched for; the largest jumps are removed first, then what stands out
/// without them. Ascending; none if there are fewer than 20 voxels.
///
/// @param responses  n × voxels; voxels with only zeros are ignored
/// @param q          orthonormal columns that span confounds and regressors
/// @param noise      model of the noise of the median over the voxels
std::vector<int> jumpsIn(const SeriesRows& responses, const Eigen::MatrixXd& q, const std::vector<Run>& runs,
                         Noise noise);

/// Removes each scan that jumps by adding a confound, and adds a note that names them. If they are more than
/// a fifth of the scans, or a regressor would be lost with them, all are kept, with a warning.
///
/// @param voxels  grid indices, ascending
void takeOutJumps(const Series<float>& bold, const ActivationOptions& options,
                  const std::vector<std::int64_t>& voxels, Design& design, Notes& notes,
                  const Progress& progress);

}  // namespace sulcus::activation
