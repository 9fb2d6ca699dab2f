#include "gpu/registration/similarity/device_similarity.h"
#include "gpu/registration/similarity/masked_values.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/lane_sums.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace sulcus::gpu::registration {
inline namespace masked_values_kernels {

constexpr int kValueThreads = 256;

__device__ bool isAbove(const MaskedArray& image, std::int64_t i, double threshold) {
  return image.mask[i] && image.values[i] > threshold;
}

__global__ void __launch_bounds__(kSumThreads)
    sumValues(MaskedArray image, double threshold, double* __restrict__ ofBlocks) {
  sumTermsOfBlock<2>(image.voxels, ofBlocks + 2 * std::int64_t(blockIdx.x),
                     [&](std::int64_t i, double* sums) {
                       const bool counts = isAbove(image, i, threshold);
                       sums[0] += counts ? 1 : 0;
                       addValue(counts, image.values[i], sums[1]);
                     });
}

__global__ void __launch_bounds__(kSumThreads)
    sumSquaredDistances(MaskedArray image, double threshold, double mean, double* __restrict__ ofBlocks) {
  sumTermsOfBlock<1>(image.voxels, ofBlocks + blockIdx.x, [&](std::int64_t i, double* sums) {
    addSquaredDistance(isAbove(image, i, threshold), image.values[i], mean, sums[0]);
  });
}

/// Bits of floats as integers with the same order, and the inverse.
__device__ std::uint32_t ascendingBits(float value) {
  const std::uint32_t bits = __float_as_uint(value);
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}
__device__ float ofAscendingBits(std::uint32_t bits) {
  return __uint_as_float(bits ^ (bits >> 31 ? 0x80000000u : 0xffffffffu));
}

__global__ void __launch_bounds__(kValueThreads)
    takeBits(MaskedArray image, std::uint32_t* __restrict__ bits) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kValueThreads + threadIdx.x;
  if (i < image.voxels) bits[i] = image.mask[i] ? ascendingBits(image.values[i]) : 0xffffffffu;
}

__global__ void __launch_bounds__(kValueThreads)
    takeValues(const std::uint32_t* __restrict__ sorted, const std::int64_t* __restrict__ places, int count,
               float* __restrict__ values) {
  const int i = int(blockIdx.x) * kValueThreads + int(threadIdx.x);
  if (i < count) values[i] = ofAscendingBits(sorted[places[i]]);
}

template <class Map>
__global__ void __launch_bounds__(kValueThreads)
    changeValues(const __grid_constant__ Map map, float* values, std::int64_t voxels) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kValueThreads + threadIdx.x;
  if (i < voxels) values[i] = map.of(values[i]);
}

}  // namespace masked_values_kernels

void queueValuesAbove(MaskedArray image, double threshold, double* ofBlocks, const Stream& stream) {
  sumValues<<<blocksFor(image.voxels, kTermsPerBlock), kSumThreads, 0, stream.get()>>>(image, threshold,
                                                                                       ofBlocks);
  SULCUS_CUDA_LAUNCHED("sumValues");
}

void queueSquaresAbove(MaskedArray image, double threshold, double mean, double* ofBlocks,
                       const Stream& stream) {
  sumSquaredDistances<<<blocksFor(image.voxels, kTermsPerBlock), kSumThreads, 0, stream.get()>>>(
      image, threshold, mean, ofBlocks);
  SULCUS_CUDA_LAUNCHED("sumSquaredDistances");
}

Buffer<std::uint32_t> sortedBits(MaskedArray image, const Stream& stream) {
  Buffer<std::uint32_t> bits(image.voxels, stream, kWhat), other(image.voxels, stream, kWhat);
  takeBits<<<blocksFor(image.voxels, kValueThreads), kValueThreads, 0, stream.get()>>>(image, bits.data());
  SULCUS_CUDA_LAUNCHED("takeBits");
  cub::DoubleBuffer<std::uint32_t> both(bits.data(), other.data());
  std::size_t bytes = 0;
  SULCUS_CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, both, image.voxels, 0, 32, stream.get()));
  Buffer<char> scratch(std::int64_t(bytes), stream, kWhat);
  SULCUS_CUDA(cub::DeviceRadixSort::SortKeys(scratch.data(), bytes, both, image.voxels, 0, 32, stream.get()));
  return both.Current() == bits.data() ? std::move(bits) : std::move(other);
}

void queueValuesAt(const std::uint32_t* sorted, const std::int64_t* places, int count, float* values,
                   const Stream& stream) {
  takeValues<<<blocksFor(count, kValueThreads), kValueThreads, 0, stream.get()>>>(sorted, places, count,
                                                                                  values);
  SULCUS_CUDA_LAUNCHED("takeValues");
}

void queueChange(const IntensityMap& map, float* values, std::int64_t voxels, const Stream& stream) {
  changeValues<<<blocksFor(voxels, kValueThreads), kValueThreads, 0, stream.get()>>>(map, values, voxels);
  SULCUS_CUDA_LAUNCHED("changeValues");
}

void queueChange(const Brightness& map, float* values, std::int64_t voxels, const Stream& stream) {
  changeValues<<<blocksFor(voxels, kValueThreads), kValueThreads, 0, stream.get()>>>(map, values, voxels);
  SULCUS_CUDA_LAUNCHED("changeValues");
}

}  // namespace sulcus::gpu::registration
