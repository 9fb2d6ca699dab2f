#include "gpu/registration/deformation/level_tile.cuh"
#include "gpu/registration/similarity/histogram.cuh"
#include "gpu/registration/similarity/mutual_information.h"
#include "gpu/runtime/blocks.h"

namespace sulcus::gpu::registration {
inline namespace mutual_information_kernels {

__global__ void __launch_bounds__(kHistogramThreads)
    addToHistogram(std::int64_t voxels, const float* __restrict__ warped, const float* __restrict__ reference,
                   const float* __restrict__ weightsOfVoxels, BinRanges ranges,
                   unsigned long long* histogram) {
  countBlock(voxels, histogram, [&](std::int64_t voxel, unsigned* counts) {
    const bool counted = voxel >= 0 && reference[voxel] == reference[voxel];
    const BinPlace<float> place =
        counted ? binPlace(ranges.moving, warped[voxel]) : BinPlace<float>{0, 0, false};
    const ReferenceBins<float> bins =
        counted ? referenceBinsOf(ranges.reference, reference[voxel], weightOf(weightsOfVoxels, voxel))
                : ReferenceBins<float>{};
    for (int k = 0; k < 4; ++k)
      addWeights(counted ? (bins.first + k) * kBins + place.first : -1,
                 binWeights(place.fraction, bins.share[k]), counts);
  });
}

__global__ void __launch_bounds__(kHistogramThreads)
    slopesOf(std::int64_t voxels, const float* __restrict__ reference,
             const float* __restrict__ weightsOfVoxels, BinRanges ranges, const float* __restrict__ logShares,
             float* warped) {
  const std::int64_t voxel = std::int64_t(blockIdx.x) * kHistogramThreads + threadIdx.x;
  if (voxel >= voxels) return;
  const float value = reference[voxel];
  warped[voxel] =
      value == value
          ? informationSlope(logShares,
                             referenceBinsOf(ranges.reference, value, weightOf(weightsOfVoxels, voxel)),
                             ranges.moving, binPlace(ranges.moving, warped[voxel]))
          : 0;
}

}  // namespace mutual_information_kernels

void queueHistogram(const LevelJob& job, const float* warped, const BinRanges& ranges,
                    unsigned long long* histogram, const Stream& stream) {
  const std::int64_t voxels = voxelsOf(job);
  addToHistogram<<<blocksFor(voxels, kPairsOfHistogram), kHistogramThreads, 0, stream.get()>>>(
      voxels, warped, job.reference, job.weights, ranges, histogram);
  SULCUS_CUDA_LAUNCHED("addToHistogram");
}

void queueInformationSlope(const LevelJob& job, const BinRanges& ranges, const float* logShares,
                           float* warped, const Stream& stream) {
  const std::int64_t voxels = voxelsOf(job);
  slopesOf<<<blocksFor(voxels, kHistogramThreads), kHistogramThreads, 0, stream.get()>>>(
      voxels, job.reference, job.weights, ranges, logShares, warped);
  SULCUS_CUDA_LAUNCHED("slopesOf");
}

}  // namespace sulcus::gpu::registration
