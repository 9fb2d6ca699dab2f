#pragma once

#include "core/registration/similarity/mutual_information_kernel.h"
#include "gpu/runtime/warp.cuh"

// The joint histogram of mutual information. For files compiled by nvcc only.

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

inline constexpr int kHistogramThreads = 256;
inline constexpr int kPairsOfHistogram = 2048;  // of a block: so many weights of one bin fit into 32 bits

/// Adds weights to `counts` from place `first` on; nothing where that is below 0. All lanes of a warp call
/// it.
__device__ inline void addWeights(int first, const BinWeights<float>& weights, unsigned* counts) {
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

/// The histogram of a block of kHistogramThreads threads in shared memory, added to that of all:
/// addPair(pair or −1, counts) is called by all lanes of a warp.
template <class AddPair>
__device__ void countBlock(std::int64_t pairs, unsigned long long* histogram, const AddPair& addPair) {
  __shared__ unsigned counts[kBins * kBins];
  for (int i = threadIdx.x; i < kBins * kBins; i += kHistogramThreads) counts[i] = 0;
  __syncthreads();
  const std::int64_t begin = std::int64_t(blockIdx.x) * kPairsOfHistogram;
  for (int i = threadIdx.x; i < kPairsOfHistogram; i += kHistogramThreads)
    addPair(begin + i < pairs ? begin + i : -1, counts);
  __syncthreads();
  for (int i = threadIdx.x; i < kBins * kBins; i += kHistogramThreads)
    if (counts[i] > 0) atomicAdd(&histogram[i], static_cast<unsigned long long>(counts[i]));
}

}  // namespace sulcus::gpu::registration
