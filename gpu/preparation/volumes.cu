#include "core/preparation/mean_of_seen.h"
#include "gpu/preparation/volumes.h"
#include "gpu/runtime/check.h"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp.cuh"

namespace sulcus::gpu::preparation {
using namespace sulcus::preparation;
inline namespace volumes_kernels {

constexpr int kStepThreads = 128;

__device__ Vec3<int> voxelOf(Vec3<int> size, std::int64_t i) {
  return {int(i % size.x), int(i / size.x % size.y), int(i / (std::int64_t(size.x) * size.y))};
}

std::int64_t voxelsIn(Vec3<int> size) { return std::int64_t(size.x) * size.y * size.z; }
std::int64_t strideOf(Vec3<int> size, int axis) {
  return Vec3<std::int64_t>{1, size.x, std::int64_t(size.x) * size.y}[axis];
}

/// One warp for a chunk of a volume.
__global__ void __launch_bounds__(kStepThreads)
    sumChunks(DeviceSamples samples, const ComparedVolume* compared, std::int64_t chunks, double* ofChunks) {
  const std::int64_t chunk = (std::int64_t(blockIdx.x) * kStepThreads + threadIdx.x) / kWarpSize;
  if (chunk >= chunks) return;
  const ComparedVolume volume = compared[blockIdx.y];
  float sums[kStepSums];
#pragma unroll
  for (int s = 0; s < kStepSums; ++s) sums[s] = 0;
  for (int k = 0; k < kSamplesPerLane; ++k) {
    const float* const at = samples.arrays + chunk * kSamplesPerChunk + k * kMotionLanes + ownLane();
    float inView, slopes[kUnknowns];
    const float value = valueAtSample(volume, {at[0], at[samples.count], at[2 * samples.count]}, inView);
#pragma unroll
    for (int i = 0; i < kUnknowns; ++i) slopes[i] = at[(3 + i) * samples.count];
    const float weight = at[(3 + kUnknowns) * samples.count];
    addSample(slopes, differenceOf(value, slopes[kUnknowns - 1], weight, inView, volume.gain, volume.robust),
              inView, sums);
  }
  double* const result = ofChunks + (blockIdx.y * chunks + chunk) * kStepSums;
#pragma unroll
  for (int s = 0; s < kStepSums; ++s) {
    const double sum = sumOverLanes(double(sums[s]));
    if (ownLane() == 0) result[s] = sum;
  }
}

/// A thread adds up one sum of a volume over its chunks, in order.
__global__ void addChunks(const double* ofChunks, std::int64_t chunks, int sums, double* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= sums) return;
  const double* from = ofChunks + (i / kStepSums) * chunks * kStepSums + i % kStepSums;
  double sum = 0;
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk, from += kStepSums) sum += *from;
  result[i] = sum;
}

}  // namespace volumes_kernels

void smoothAlong(int axis, const VolumesView& volumes, const SmoothingWeights& weights, float* result,
                 const Stream& stream, const Progress& progress) {
  const Vec3<int> size = volumes.size;
  const float* const image = volumes.values;
  const std::int64_t voxels = voxelsIn(size), stride = strideOf(size, axis);
  const int n = size[axis];
  parallelFor(volumes.count * voxels, stream, progress, [=] __device__(std::int64_t i) {
    const int at = voxelOf(size, i % voxels)[axis];
    const float* const line = image + i - at * stride;
    result[i] = smoothedValue(
        weights, [&](int k) { return soundOrZero(line[registration::mirroredVoxel(at + k, n) * stride]); });
  });
}

void takeCoefficients(const VolumesView& volumes, float* result, const Stream& stream,
                      const Progress& progress) {
  const float* const image = volumes.values;
  const Vec3<int> size = volumes.size;
  const int count = volumes.count;
  const std::int64_t voxels = voxelsIn(size);
  parallelFor(count * voxels, stream, progress,
              [=] __device__(std::int64_t i) { result[i] = soundOrZero(image[i]); });
  for (int axis = 0; axis < 3; ++axis) {
    Vec3<int> lines = size;
    lines[axis] = 1;
    const std::int64_t ofVolume = voxelsIn(lines), stride = strideOf(size, axis);
    const int n = size[axis];
    parallelFor(count * ofVolume, stream, progress, [=] __device__(std::int64_t i) {
      const Vec3<int> first = voxelOf(lines, i % ofVolume);
      registration::takeSplineCoefficients(
          result + i / ofVolume * voxels + first.x + size.x * (first.y + std::int64_t(size.y) * first.z), n,
          stride);
    });
  }
}

void sumSteps(const DeviceSamples& samples, const ComparedVolume* compared, int volumes, double* ofChunks,
              double* sums, const Stream& stream) {
  const std::int64_t chunks = samples.count / kSamplesPerChunk;
  const dim3 blocks(unsigned(blocksFor(chunks * kWarpSize, kStepThreads)), unsigned(volumes));
  sumChunks<<<blocks, kStepThreads, 0, stream.get()>>>(samples, compared, chunks, ofChunks);
  SULCUS_CUDA_LAUNCHED("sumChunks");
  const int all = volumes * kStepSums;
  addChunks<<<blocksFor(all, kStepThreads), kStepThreads, 0, stream.get()>>>(ofChunks, chunks, all, sums);
  SULCUS_CUDA_LAUNCHED("addChunks");
}

void meanOfVolumes(const PlacedVolumes& volumes, float* mean, const Stream& stream,
                   const Progress& progress) {
  const PlacedVolumes from = volumes;
  parallelFor(voxelsIn(from.size), stream, progress, [=] __device__(std::int64_t i) {
    const Vec3<int> voxel = voxelOf(from.size, i);
    MeanOfSeen one;
    for (int v = 0; v < from.count; ++v)
      one.add(realignedValue(from.first[v].image, from.first[v].map, {}, voxel));
    mean[i] = one.mean();
  });
}

void realignVolumes(const PlacedVolumes& volumes, const UnwarpView& unwarp, float* result,
                    const Stream& stream, const Progress& progress) {
  const PlacedVolumes from = volumes;
  const std::int64_t voxels = voxelsIn(from.size);
  parallelFor(from.count * voxels, stream, progress, [=] __device__(std::int64_t i) {
    const PlacedVolume& volume = from.first[i / voxels];
    result[i] = realignedValue(volume.image, volume.map, unwarp, voxelOf(from.size, i % voxels));
  });
}

}  // namespace sulcus::gpu::preparation
