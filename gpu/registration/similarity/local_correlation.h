#pragma once

#include "gpu/registration/level_job.h"

namespace sulcus::gpu::registration {

/// Arrays of one value per voxel, x fastest, in device memory.
struct WindowArrays {
  float *inverseCount, *mean, *inverseVariance;  ///< see ReferenceWindow
  float *p, *q, *r;                              ///< see WindowTerms
};
inline constexpr int kWindowArrays = 6;

/// Blocks of queueWindowTerms() for a whole level, each of which needs an EnergySums.
std::int64_t blocksOfWindows(const Vec3<int>& size);
/// Planes of such a block, see planesOfEvaluate().
int planesOfWindows(const Vec3<int>& size);

/// Queues the window statistics of the reference.
void queueReferenceWindows(const LevelJob& job, int radius, const WindowArrays& windows,
                           const Stream& stream);
/// Queues the terms of all windows and their energy.
void queueWindowTerms(const LevelJob& job, int radius, const float* warped, const WindowArrays& windows,
                      const GridSums& sums, const Stream& stream);
/// Queues the derivative of the energy with respect to the values of `warped`, which it replaces; 0 where
/// nothing is compared.
void queueCorrelationSlope(const LevelJob& job, int radius, const WindowArrays& windows, float* warped,
                           const Stream& stream);
/// Queues localCorrelation() of the CPU into `result`, using the windows of the reference.
void queueCorrelation(const LevelJob& job, int radius, const float* warped, const WindowArrays& windows,
                      float* result, const Stream& stream);

}  // namespace sulcus::gpu::registration
