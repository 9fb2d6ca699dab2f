#pragma once

#include "gpu/registration/level_job.h"

// Squared differences if evaluate() does not compute them: for symmetric registration, whose reference
// changes, several channels, or weights. See misfit().

namespace sulcus::gpu::registration {

/// Blocks of queueDifferences(), each of which needs an EnergySums.
std::int64_t blocksOfDifferences(std::int64_t voxels);

/// Queues the replacement of T(x − u) in `warped` by T(x − u) − R, 0 where the images are not compared, and
/// the sum of half its squares, both times the weights.
void queueDifferences(const LevelJob& job, float* warped, const GridSums& sums, const Stream& stream);

/// Queues difference = a − b, for `values` values.
void queueDifference(const float* a, const float* b, float* difference, std::int64_t values,
                     const Stream& stream);

/// Queues a = (a − b)/2 and b = −a, for `values` values.
void queueOpposition(float* a, float* b, std::int64_t values, const Stream& stream);

/// Queues the replacement of the reference by `displaced`, one value per voxel, where the images are
/// compared.
void queueReference(const float* displaced, float* reference, std::int64_t voxels, const Stream& stream);

}  // namespace sulcus::gpu::registration
