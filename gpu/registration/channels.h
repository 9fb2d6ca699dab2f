#pragma once

#include "gpu/registration/level_job.h"

// What further channels add to a level, see core/registration/level_channels.h. Each has a LevelJob of its
// own.

namespace sulcus::gpu::registration {

/// Queues T(x − u), one value per voxel, 0 where the images are not compared.
void displaceChannel(const LevelJob& job, FieldView u, float* warped, const Stream& stream);

/// Queues the force of the first channel times its share, to `force`, which holds ∇T(x − u) on entry; 1 takes
/// the place of its slope, job.slope, so that evaluate() takes that force as it is.
///
/// @param slope  that of job.slope
void weighFirstChannel(const LevelJob& job, float share, float* slope, FieldView force, const Stream& stream);

/// Queues adding the force of a further channel: job.slope · ∇T(x − u), times the share.
void addChannelForce(const LevelJob& job, FieldView u, float share, FieldView force, const Stream& stream);

}  // namespace sulcus::gpu::registration
