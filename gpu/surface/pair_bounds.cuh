#pragma once

#include "core/surface/surface_kernel.h"
#include "gpu/surface/search_job.h"

// What bounds the difference of two patches, and what the search knows of its rows. For files compiled by
// nvcc only.

namespace sulcus::gpu::surface {
using namespace sulcus::surface;

/// c += a b for a fragment of 16 rows and one of 8 columns, 32 values deep.
__device__ __forceinline__ void multiply(int (&c)[4], const uint2& low, const uint2& high, const uint2& b) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(low.x), "r"(high.x), "r"(low.y), "r"(high.y), "r"(b.x), "r"(b.y));
#else
  const auto quarter = [](int& x, int& y, unsigned a, unsigned columns) {
#ifdef __HIP__
    // Each lane has four bytes of a row of 16 and four of a column of 16, as NVIDIA's instruction takes them.
    const auto addProduct = [](int& sum, unsigned one, unsigned other) {
      for (int i = 0; i < 32; i += 8) sum += int(std::int8_t(one >> i)) * std::int8_t(other >> i);
    };
    const int row = ownLane() / 4, column = 2 * (ownLane() % 4);
    for (int k = 0; k < 4; ++k) {
      const unsigned ofRow = __shfl_sync(kAllLanes, a, 4 * row + k);
      addProduct(x, ofRow, __shfl_sync(kAllLanes, columns, 4 * column + k));
      addProduct(y, ofRow, __shfl_sync(kAllLanes, columns, 4 * (column + 1) + k));
    }
#else
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+r"(x), "+r"(y)
        : "r"(a), "r"(columns));
#endif
  };
  quarter(c[0], c[1], low.x, b.x), quarter(c[0], c[1], low.y, b.y);
  quarter(c[2], c[3], high.x, b.x), quarter(c[2], c[3], high.y, b.y);
#endif
}

constexpr int kDroppedBits = 23 - 4;  // of the mantissa of a float, for bins of sixteenths of powers of two
constexpr int kBeforeBins = (127 << 4) - 1;  // bin 1 begins with 1, whose exponent is 127
/// Bin of a squared difference in 8 bits, sixteenths of powers of two; and the largest that falls into one.
__device__ inline int binOf(int squared) {
  return squared == 0 ? 0 : (__float_as_int(float(squared)) >> kDroppedBits) - kBeforeBins;
}
__device__ inline float endOf(int bin) {
  return bin == 0 ? 0 : __int_as_float((bin + kBeforeBins + 1) << kDroppedBits);
}

/// No voxel of one box is nearer to a voxel of the other, squared, mm². It is computed as
/// squaredVoxelDistance() of two voxels, whose rounding keeps their order. Not inlined, as it is seldom
/// needed.
inline __device__ __noinline__ double squaredGap(const VoxelBox& a, const VoxelBox& b,
                                                 const Vec3<double>& spacing) {
  Vec3<int> gap;
  for (int k = 0; k < 3; ++k) gap[k] = max(0, max(a.low[k] - b.high[k], b.low[k] - a.high[k]));
  return squaredVoxelDistance(gap, {}, spacing);
}

/// What a block knows of its rows, in shared memory.
template <int Rows>
struct RowStates {
  PatchRank worst[Rows];  ///< of its list; index −1 before there is one
  double bound[Rows];     ///< at least as different as the last neighbor
  int need[Rows];         ///< a product of 8-bit patches, less half the column's norm, of what may be near
  int queued[Rows];
  float nearer[Rows / kSubTile], gap[Rows / kSubTile];  ///< of this shell: above, up to; squared, mm²
  float reach[Rows / kSubTile];  ///< no voxel beyond becomes a neighbor of the sub-tile; squared, mm²
};

}  // namespace sulcus::gpu::surface
