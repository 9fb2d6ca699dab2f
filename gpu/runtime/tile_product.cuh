#pragma once

#include "gpu/runtime/warp.cuh"

// Products of small matrices in double by a whole warp, on the tensor cores where there are any for double
// (compute capability 8.0). For files compiled by nvcc only.

namespace sulcus::gpu {

/// Side of a square tile.
inline constexpr int kTileSize = 8;
/// Columns of the left and rows of the right factor of one product.
inline constexpr int kTileDepth = 4;

/// Where a lane's elements stand: as a factor, row group() and column member() of the left one, row member()
/// and column group() of the right one; of the sum, row group() and the columns 2 member() and 2 member()
/// + 1.
__device__ inline int tileGroup() { return ownLane() / kTileDepth; }
__device__ inline int tileMember() { return ownLane() % kTileDepth; }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800
/// The product by shuffles, for older GPUs. Not inlined: a kernel of a thousand products would take the
/// compiler minutes.
__device__ __noinline__ inline double2 tileProduct(double left, double right) {
  double2 product{};
#pragma unroll
  for (int k = 0; k < kTileDepth; ++k) {
    const double l = __shfl_sync(kAllLanes, left, kTileDepth * tileGroup() + k);
    product.x += l * __shfl_sync(kAllLanes, right, kTileDepth * 2 * tileMember() + k);
    product.y += l * __shfl_sync(kAllLanes, right, kTileDepth * (2 * tileMember() + 1) + k);
  }
  return product;
}
#endif

/// sum (8 × 8) += left (8 × 4) · right (4 × 8).
__device__ inline void addTileProduct(double2& sum, double left, double right) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(sum.x), "+d"(sum.y)
               : "d"(left), "d"(right));
#else
  const double2 product = tileProduct(left, right);
  sum.x += product.x;
  sum.y += product.y;
#endif
}

}  // namespace sulcus::gpu
