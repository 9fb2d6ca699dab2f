#pragma once

#include "gpu/registration/deformation/level_tile.cuh"
#include "gpu/runtime/warp.cuh"

// Sums over all voxels of a level in a fixed order, whatever order its blocks come in. For files compiled by
// nvcc only.

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

inline constexpr int kWarps = kTileThreads / kWarpSize;

inline constexpr EnergySums kNoSums{0, 0, 0, INFINITY, 0};

__device__ inline EnergySums operator+(const EnergySums& a, const EnergySums& b) {
  return {a.similarity + b.similarity, a.bias + b.bias, a.uphill + b.uphill, fminf(a.smallest, b.smallest),
          a.refused + b.refused};
}

/// The sums of the lane that is `distance` above the caller's.
__device__ inline EnergySums fromLaneAbove(const EnergySums& a, int distance) {
  return {__shfl_down_sync(kAllLanes, a.similarity, distance), __shfl_down_sync(kAllLanes, a.bias, distance),
          __shfl_down_sync(kAllLanes, a.uphill, distance), __shfl_down_sync(kAllLanes, a.smallest, distance),
          __shfl_down_sync(kAllLanes, a.refused, distance)};
}

/// Sums over the threads of a block in a fixed order; its first thread gets the result.
__device__ inline EnergySums sumOfBlock(EnergySums sum, EnergySums (&warps)[kWarps]) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2) sum = sum + fromLaneAbove(sum, distance);
  __syncthreads();
  if (ownLane() == 0) warps[threadIdx.x / kWarpSize] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < kWarps; ++w) sum = sum + warps[w];
  return sum;
}

/// The sum of all blocks in a fixed order, for the first of kTileThreads threads.
__device__ inline EnergySums sumOfBlocks(const EnergySums* blocks, unsigned count,
                                         EnergySums (&warps)[kWarps]) {
  EnergySums sum = kNoSums;
  for (unsigned i = threadIdx.x; i < count; i += kTileThreads) {
    const volatile EnergySums& b = blocks[i];
    sum = sum + EnergySums{b.similarity, b.bias, b.uphill, b.smallest, b.refused};
  }
  return sumOfBlock(sum, warps);
}

/// The last block to come adds up those of all, in a fixed order. Called by blocks of kTileThreads threads.
__device__ inline void sumOfGrid(const EnergySums& mine, const GridSums& sums) {
  __shared__ EnergySums warps[kWarps];
  const EnergySums block = sumOfBlock(mine, warps);
  if (threadIdx.x == 0) sums.blocks[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = block;
  if (!isLastBlock(sums.meeting)) return;
  const EnergySums sum = sumOfBlocks(sums.blocks, gridDim.x * gridDim.y * gridDim.z, warps);
  if (threadIdx.x == 0) *sums.total = sum;
}

}  // namespace sulcus::gpu::registration
