#pragma once

#include "core/registration/mutual_information_body.h"
#include "gpu/registration/level_job.h"

namespace sulcus::gpu::registration {

/// Queues adding the voxels to `histogram`: kBins × kBins counts in units of kWeightUnit, by reference bin
/// and then by template bin. `bins` holds the reference's bin of each voxel, `weights` what it counts; null:
/// all 1.
void queueHistogram(std::int64_t voxels, const float* warped, const std::uint8_t* bins, const float* weights,
                    BinRange<float> range, unsigned long long* histogram, const Stream& stream);
/// Queues the derivative of the energy by the values of `warped`, which it replaces; `logShares` lie like the
/// histogram.
void queueInformationSlope(std::int64_t voxels, const std::uint8_t* bins, const float* weights,
                           BinRange<float> range, const float* logShares, float* warped,
                           const Stream& stream);

/// Both where the reference's values are spread over bins, too, as in symmetric registration; `reference` is
/// NaN where the images are not compared.
void queueSmoothHistogram(std::int64_t voxels, const float* warped, const float* reference,
                          const float* weights, BinRange<float> range, BinRange<float> referenceRange,
                          unsigned long long* histogram, const Stream& stream);
void queueSmoothSlope(std::int64_t voxels, const float* reference, const float* weights,
                      BinRange<float> range, BinRange<float> referenceRange, const float* logShares,
                      float* warped, const Stream& stream);

}  // namespace sulcus::gpu::registration
