#include "gpu/registration/level_tile.cuh"
#include "gpu/registration/mutual_information.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/warp.cuh"

namespace sulcus::gpu::registration {
inline namespace mutual_information_kernels {

constexpr int kHistogramThreads = 256;
constexpr int kVoxels = 2048;  // of a block: so many weights of one bin fit into 32 bits

/// Adds weights to `counts` from place `first` on; nothing where that is below 0. All lanes of a warp call
/// it.
__device__ void addWeights(int first, const BinWeights<float>& weights, unsigned* counts) {
  // Around the object whole warps fall into the same bins: their weights are summed before.
  if (__all_sync(kAllLanes, first == __shfl_sync(kAllLanes, first, 0))) {
    if (first < 0) return;
    for (int k = 0; k < 4; ++k) {
      const unsigned sum = sumOverLanes(unsigned(weights.n[k]));
      if (ownLane() == 0) atomicAdd(&counts[first + k], sum);
    }
  } else if (first >= 0) {
    for (int k = 0; k < 4; ++k) atomicAdd(&counts[first + k], unsigned(weights.n[k]));
  }
}

/// The histogram of a block in shared memory, added to that of all: addVoxel(voxel or −1, counts) is called
/// by all lanes of a warp.
template <class AddVoxel>
__device__ void countBlock(std::int64_t voxels, unsigned long long* histogram, const AddVoxel& addVoxel) {
  __shared__ unsigned counts[kBins * kBins];
  for (int i = threadIdx.x; i < kBins * kBins; i += kHistogramThreads) counts[i] = 0;
  __syncthreads();
  const std::int64_t begin = std::int64_t(blockIdx.x) * kVoxels;
  for (int i = threadIdx.x; i < kVoxels; i += kHistogramThreads)
    addVoxel(begin + i < voxels ? begin + i : -1, counts);
  __syncthreads();
  for (int i = threadIdx.x; i < kBins * kBins; i += kHistogramThreads)
    if (counts[i] > 0) atomicAdd(&histogram[i], static_cast<unsigned long long>(counts[i]));
}

__global__ void __launch_bounds__(kHistogramThreads)
    addToHistogram(std::int64_t voxels, const float* __restrict__ warped,
                   const std::uint8_t* __restrict__ bins, const float* __restrict__ weightsOfVoxels,
                   BinRange<float> range, unsigned long long* histogram) {
  countBlock(voxels, histogram, [&](std::int64_t voxel, unsigned* counts) {
    const bool counted = voxel >= 0 && bins[voxel] != kNoBin;
    const BinPlace<float> place = counted ? binPlace(range, warped[voxel]) : BinPlace<float>{0, 0, false};
    addWeights(counted ? bins[voxel] * kBins + place.first : -1,
               binWeights(place.fraction, counted ? weightOf(weightsOfVoxels, voxel) : 0.f), counts);
  });
}

__global__ void __launch_bounds__(kHistogramThreads)
    addSmoothly(std::int64_t voxels, const float* __restrict__ warped, const float* __restrict__ reference,
                const float* __restrict__ weightsOfVoxels, BinRange<float> range,
                BinRange<float> referenceRange, unsigned long long* histogram) {
  countBlock(voxels, histogram, [&](std::int64_t voxel, unsigned* counts) {
    const bool counted = voxel >= 0 && reference[voxel] == reference[voxel];
    const BinPlace<float> place = counted ? binPlace(range, warped[voxel]) : BinPlace<float>{0, 0, false};
    const ReferenceBins<float> bins =
        counted ? referenceBinsOf(referenceRange, reference[voxel], weightOf(weightsOfVoxels, voxel))
                : ReferenceBins<float>{};
    for (int k = 0; k < 4; ++k)
      addWeights(counted ? (bins.first + k) * kBins + place.first : -1,
                 binWeights(place.fraction, bins.share[k]), counts);
  });
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

__global__ void __launch_bounds__(kHistogramThreads)
    smoothSlopesOf(std::int64_t voxels, const float* __restrict__ reference,
                   const float* __restrict__ weightsOfVoxels, BinRange<float> range,
                   BinRange<float> referenceRange, const float* __restrict__ logShares, float* warped) {
  const std::int64_t voxel = std::int64_t(blockIdx.x) * kHistogramThreads + threadIdx.x;
  if (voxel >= voxels) return;
  const float value = reference[voxel];
  warped[voxel] =
      value == value
          ? informationSlope(logShares,
                             referenceBinsOf(referenceRange, value, weightOf(weightsOfVoxels, voxel)), range,
                             binPlace(range, warped[voxel]))
          : 0;
}

}  // namespace mutual_information_kernels

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

void queueSmoothHistogram(std::int64_t voxels, const float* warped, const float* reference,
                          const float* weights, BinRange<float> range, BinRange<float> referenceRange,
                          unsigned long long* histogram, const Stream& stream) {
  addSmoothly<<<blocksFor(voxels, kVoxels), kHistogramThreads, 0, stream.get()>>>(
      voxels, warped, reference, weights, range, referenceRange, histogram);
  SULCUS_CUDA_LAUNCHED("addSmoothly");
}

void queueSmoothSlope(std::int64_t voxels, const float* reference, const float* weights,
                      BinRange<float> range, BinRange<float> referenceRange, const float* logShares,
                      float* warped, const Stream& stream) {
  smoothSlopesOf<<<blocksFor(voxels, kHistogramThreads), kHistogramThreads, 0, stream.get()>>>(
      voxels, reference, weights, range, referenceRange, logShares, warped);
  SULCUS_CUDA_LAUNCHED("smoothSlopesOf");
}

}  // namespace sulcus::gpu::registration
