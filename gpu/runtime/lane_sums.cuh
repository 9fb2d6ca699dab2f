#pragma once

#include "core/base/parallel/lane_sums.h"
#include "gpu/runtime/warp.cuh"

// laneSums() of the CPU, with its bits. For files compiled by nvcc only.

namespace sulcus::gpu {

inline constexpr int kSumWarps = kTermsPerBlock / kTermsPerGroup, kSumThreads = kSumWarps * kWarpSize;
static_assert(kSumLanes == kWarpSize);

/// The N sums of the terms of the calling block, of kSumThreads threads, of those of [0, count): block b of x
/// takes kTermsPerBlock terms from b · kTermsPerBlock on. add(i, sums) adds the terms of index i.
///
/// @param result  receives the sums; those of all blocks are added up by sumOfBlocks()
template <int N, class Add>
__device__ void sumTermsOfBlock(std::int64_t count, double* result, const Add& add) {
  __shared__ double ofWarps[kSumWarps][N];
  const int lane = ownLane(), warp = int(threadIdx.x) / kWarpSize;
  const std::int64_t group = std::int64_t(blockIdx.x) * kTermsPerBlock + warp * kTermsPerGroup,
                     last = min(count, group + kTermsPerGroup);
  double sums[N] = {};
  for (std::int64_t i = group + lane; i < last; i += kWarpSize) add(i, sums);
#pragma unroll
  for (int k = 0; k < N; ++k) {
    const double sum = sumOverLanes(sums[k]);
    if (lane == 0) ofWarps[warp][k] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= N) return;
  double sum = 0;
  for (int w = 0; w < kSumWarps; ++w) sum += ofWarps[w][threadIdx.x];
  result[threadIdx.x] = sum;
}

}  // namespace sulcus::gpu
