#pragma once

#include "gpu/registration/level_job.h"

// Squared differences where evaluate() does not compute them: of symmetric registration, whose reference
// changes, of several channels and with weights. See misfit().

namespace sulcus::gpu::registration {

/// Blocks of queueDifferences(), each of which needs room for an EnergySums.
std::int64_t blocksOfDifferences(std::int64_t voxels);

/// Queues T(x − u) − R, 0 where the images are not compared, in place of T(x − u) in `warped`, and the sum of
/// half its squares, both times the weights, to `total`, which is page-locked memory of the host.
void queueDifferences(const LevelJob& job, float* warped, EnergySums* blocks, GridBarrier* meeting,
                      EnergySums* total, const Stream& stream);

/// Queues difference = a − b, for so many values.
void queueDifference(const float* a, const float* b, float* difference, std::int64_t values,
                     const Stream& stream);

/// Queues a = (a − b)/2 and b = −a, for so many values.
void queueOpposition(float* a, float* b, std::int64_t values, const Stream& stream);

/// Queues `displaced`, one value per voxel, in place of the reference where the images are compared.
void queueReference(const float* displaced, float* reference, std::int64_t voxels, const Stream& stream);

}  // namespace sulcus::gpu::registration
