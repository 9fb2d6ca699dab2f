#pragma once

#include "core/registration/similarity/mutual_information_kernel.h"
#include "gpu/registration/level_job.h"

namespace sulcus::gpu::registration {

/// Queues adding the voxels to `histogram`: kBins × kBins counts in units of kWeightUnit, by reference bin
/// and then by template bin. `reference` is NaN where the images are not compared, `weights` holds the weight
/// of each voxel; null: all 1.
void queueHistogram(std::int64_t voxels, const float* warped, const float* reference, const float* weights,
                    BinRange<float> range, BinRange<float> referenceRange, unsigned long long* histogram,
                    const Stream& stream);
/// Queues the derivative of the energy with respect to the values of `warped`, which it replaces; `logShares`
/// has the layout of the histogram.
void queueInformationSlope(std::int64_t voxels, const float* reference, const float* weights,
                           BinRange<float> range, BinRange<float> referenceRange, const float* logShares,
                           float* warped, const Stream& stream);

}  // namespace sulcus::gpu::registration
