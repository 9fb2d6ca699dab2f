#pragma once

#include "gpu/registration/level_job.h"

namespace sulcus::gpu::registration {

/// Queues adding the force of one of several channels to `force`, see
/// core/registration/similarity/level_channels.h: job.slope · ∇T(x − u), times its share. The first one
/// overwrites `force`.
void addChannelForce(const LevelJob& job, FieldView u, float share, bool first, FieldView force,
                     const Stream& stream);

}  // namespace sulcus::gpu::registration
