#pragma once

#include "core/registration/preparation/intensity_kernel.h"
#include "gpu/runtime/buffer.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// The values of an image in a mask on the device, one per voxel.
struct MaskedArray {
  const float* values;
  const std::uint8_t* mask;
  std::int64_t voxels;
};

/// Queues count and sum of the values above a threshold, two numbers for each block of kTermsPerBlock voxels.
void queueValuesAbove(MaskedArray image, double threshold, double* ofBlocks, const Stream& stream);
/// Queues the sum of the squared deviations of those values from the mean, one number for each block.
void queueSquaresAbove(MaskedArray image, double threshold, double mean, double* ofBlocks,
                       const Stream& stream);

/// The values in ascending order, −0 before 0, as order-preserving bits, followed by the largest bits for the
/// voxels outside of the mask.
Buffer<std::uint32_t> sortedBits(MaskedArray image, const Stream& stream);
/// Queues reading the values at given places of such an order, both on the device.
void queueValuesAt(const std::uint32_t* sorted, const std::int64_t* places, int count, float* values,
                   const Stream& stream);

/// Queues replacing every value v by map.of(v).
void queueChange(const IntensityMap& map, float* values, std::int64_t voxels, const Stream& stream);
void queueChange(const Brightness& map, float* values, std::int64_t voxels, const Stream& stream);

}  // namespace sulcus::gpu::registration
