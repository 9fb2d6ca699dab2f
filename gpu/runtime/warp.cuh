#pragma once

// What the 32 lanes of a warp do together. All lanes call these functions. For files compiled by nvcc only.

namespace sulcus::gpu {

inline constexpr int kWarpSize = 32;
/// The mask of a whole warp.
inline constexpr unsigned kAllLanes = 0xffffffffu;

/// The caller's lane, where a block is one row of threads or its rows are whole warps.
__device__ inline int ownLane() { return int(threadIdx.x % kWarpSize); }

/// Lanes below the caller's whose bits are set in `lanes`.
__device__ inline int lanesBelow(unsigned lanes) { return __popc(lanes & ((1u << ownLane()) - 1)); }

/// Combines the values of each `Width` neighboring lanes, the farthest first; all of them get the result.
template <int Width = kWarpSize, class T, class Combine>
__device__ __forceinline__ T combinedOverLanes(T value, const Combine& combine) {
#pragma unroll
  for (int distance = Width / 2; distance > 0; distance /= 2)
    value = combine(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

template <int Width = kWarpSize, class T>
__device__ __forceinline__ T sumOverLanes(T value) {
  return combinedOverLanes<Width>(value, [](T a, T b) { return a + b; });
}
template <int Width = kWarpSize, class T>
__device__ __forceinline__ T largestOverLanes(T value) {
  return combinedOverLanes<Width>(value, [](T a, T b) { return max(a, b); });
}
template <int Width = kWarpSize, class T>
__device__ __forceinline__ T smallestOverLanes(T value) {
  return combinedOverLanes<Width>(value, [](T a, T b) { return min(a, b); });
}

}  // namespace sulcus::gpu
