#include "gpu/registration/deformation/energy_sums.cuh"
#include "gpu/registration/similarity/differences.h"

#include <algorithm>

namespace sulcus::gpu::registration {
inline namespace differences_kernels {

constexpr std::int64_t kMostBlocks = 2048;

__global__ void __launch_bounds__(kTileThreads)
    differences(std::int64_t voxels, const float* __restrict__ reference, const float* __restrict__ weights,
                float* __restrict__ warped, const GridSums sums) {
  EnergySums sum = kNoSums;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kTileThreads + threadIdx.x; i < voxels;
       i += std::int64_t(gridDim.x) * kTileThreads) {
    const float difference = misfit(warped[i], reference[i]);
    const float weight = weightOf(weights, i);
    sum.similarity += double(weight) * (0.5 * double(difference) * double(difference));
    warped[i] = weight * difference;
  }
  sumOfGrid(sum, sums);
}

__global__ void __launch_bounds__(kTileThreads)
    takeReference(std::int64_t voxels, const float* __restrict__ displaced, float* __restrict__ reference) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kTileThreads + threadIdx.x;
  if (i < voxels && reference[i] == reference[i]) reference[i] = displaced[i];
}

__global__ void __launch_bounds__(kTileThreads)
    subtract(const float* a, const float* b, float* difference, std::int64_t values) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kTileThreads + threadIdx.x;
  if (i < values) difference[i] = a[i] - b[i];
}

__global__ void __launch_bounds__(kTileThreads) opposeAll(float* a, float* b, std::int64_t values) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kTileThreads + threadIdx.x;
  if (i >= values) return;
  const float v = 0.5f * (a[i] - b[i]);
  a[i] = v;
  b[i] = -v;
}

}  // namespace differences_kernels

std::int64_t blocksOfDifferences(std::int64_t voxels) {
  return std::min(kMostBlocks, ceilDivide(voxels, kTileThreads));
}

void queueDifferences(const LevelJob& job, float* warped, const GridSums& sums, const Stream& stream) {
  const std::int64_t voxels = voxelsOf(job);
  differences<<<unsigned(blocksOfDifferences(voxels)), kTileThreads, 0, stream.get()>>>(
      voxels, job.reference, job.weights, warped, sums);
  SULCUS_CUDA_LAUNCHED("differences");
}

void queueDifference(const float* a, const float* b, float* difference, std::int64_t values,
                     const Stream& stream) {
  subtract<<<blocksFor(values, kTileThreads), kTileThreads, 0, stream.get()>>>(a, b, difference, values);
  SULCUS_CUDA_LAUNCHED("subtract");
}

void queueOpposition(float* a, float* b, std::int64_t values, const Stream& stream) {
  opposeAll<<<blocksFor(values, kTileThreads), kTileThreads, 0, stream.get()>>>(a, b, values);
  SULCUS_CUDA_LAUNCHED("opposeAll");
}

void queueReference(const float* displaced, float* reference, std::int64_t voxels, const Stream& stream) {
  takeReference<<<blocksFor(voxels, kTileThreads), kTileThreads, 0, stream.get()>>>(voxels, displaced,
                                                                                    reference);
  SULCUS_CUDA_LAUNCHED("takeReference");
}

}  // namespace sulcus::gpu::registration
