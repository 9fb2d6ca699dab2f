#include "gpu/registration/level_tile.cuh"
#include "gpu/registration/mutual_information.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/warp.cuh"

namespace sulcus::gpu::registration {
namespace {

constexpr int kHistogramThreads = 256;
constexpr int kVoxels = 2048;  // of a block: so many weights of one bin fit into 32 bits

__global__ void __launch_bounds__(kHistogramThreads)
    addToHistogram(std::int64_t voxels, const float* __restrict__ warped,
                   const std::uint8_t* __restrict__ bins, const float* __restrict__ weightsOfVoxels,
                   BinRange<float> range, unsigned long long* histogram) {
  __shared__ unsigned counts[kBins * kBins];
  for (int i = threadIdx.x; i < kBins * kBins; i += kHistogramThreads) counts[i] = 0;
  __syncthreads();
  const std::int64_t begin = std::int64_t(blockIdx.x) * kVoxels;
  for (int i = threadIdx.x; i < kVoxels; i += kHistogramThreads) {
    const std::int64_t voxel = begin + i;
    const bool counted = voxel < voxels && bins[voxel] != kNoBin;
    const BinPlace<float> place = counted ? binPlace(range, warped[voxel]) : BinPlace<float>{0, 0, false};
    const BinWeights<float> weights =
        binWeights(place.fraction, counted ? weightOf(weightsOfVoxels, voxel) : 0.f);
    const int first = counted ? bins[voxel] * kBins + place.first : -1;
    // Around the object whole warps fall into the same bins: their weights are summed before.
    const bool same = __all_sync(kAllLanes, first == __shfl_sync(kAllLanes, first, 0));
    if (same) {
      if (first < 0) continue;
      for (int k = 0; k < 4; ++k) {
        const unsigned sum = sumOverLanes(unsigned(weights.n[k]));
        if (ownLane() == 0) atomicAdd(&counts[first + k], sum);
      }
    } else if (counted) {
      for (int k = 0; k < 4; ++k) atomicAdd(&counts[first + k], unsigned(weights.n[k]));
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kBins * kBins; i += kHistogramThreads)
    if (counts[i] > 0) atomicAdd(&histogram[i], static_cast<unsigned long long>(counts[i]));
}

__global__ void __launch_bounds__(kHistogramThreads)
    slopesOf(std::int64_t voxels, const std::uint8_t* __restrict__ bins,
             const float* __restrict__ weightsOfVoxels, BinRange<float> range,
             const float* __restrict__ logShares, float* warped) {
  const std::int64_t voxel = std::int64_t(blockIdx.x) * kHistogramThreads + threadIdx.x;
  if (voxel >= voxels) return;
  const int bin = bins[voxel];
  warped[voxel] = bin == kNoBin
                      ? 0
                      : weightOf(weightsOfVoxels, voxel) *
                            informationSlope(logShares + bin * kBins, range, binPlace(range, warped[voxel]));
}

}  // namespace

void queueHistogram(std::int64_t voxels, const float* warped, const std::uint8_t* bins, const float* weights,
                    BinRange<float> range, unsigned long long* histogram, const Stream& stream) {
  addToHistogram<<<blocksFor(voxels, kVoxels), kHistogramThreads, 0, stream.get()>>>(
      voxels, warped, bins, weights, range, histogram);
  SULCUS_CUDA_LAUNCHED("addToHistogram");
}

void queueInformationSlope(std::int64_t voxels, const std::uint8_t* bins, const float* weights,
                           BinRange<float> range, const float* logShares, float* warped,
                           const Stream& stream) {
  slopesOf<<<blocksFor(voxels, kHistogramThreads), kHistogramThreads, 0, stream.get()>>>(
      voxels, bins, weights, range, logShares, warped);
  SULCUS_CUDA_LAUNCHED("slopesOf");
}

}  // namespace sulcus::gpu::registration
