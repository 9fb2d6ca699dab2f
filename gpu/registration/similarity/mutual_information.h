#pragma once

#include "core/registration/similarity/mutual_information_kernel.h"
#include "gpu/registration/level_job.h"

namespace sulcus::gpu::registration {

/// The bins of the template and of the reference.
struct BinRanges {
  BinRange<float> moving, reference;
};

/// Queues adding the voxels to `histogram`: kBins × kBins counts in units of kWeightUnit, by reference bin
/// and then by template bin.
void queueHistogram(const LevelJob& job, const float* warped, const BinRanges& ranges,
                    unsigned long long* histogram, const Stream& stream);
/// Queues the derivative of the energy with respect to the values of `warped`, which it replaces; `logShares`
/// has the layout of the histogram.
void queueInformationSlope(const LevelJob& job, const BinRanges& ranges, const float* logShares,
                           float* warped, const Stream& stream);

}  // namespace sulcus::gpu::registration
