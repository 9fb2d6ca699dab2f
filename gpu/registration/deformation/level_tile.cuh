#pragma once

#include "gpu/registration/level_job.h"
#include "gpu/runtime/blocks.h"

#include <algorithm>

// Blocks of threads that march through planes, a thread for each voxel of a tile and some for the voxels
// around it. For files compiled by nvcc only.

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

inline constexpr int kTileX = 32, kTileY = 8, kTileThreads = kTileX * kTileY;

/// Whether u may differ from 0 there, see interior().
__device__ inline bool mayMove(int size, int i) { return size == 1 ? i == 0 : i >= 1 && i <= size - 2; }
__device__ inline bool mayMove(const Vec3<int>& size, int x, int y, int z) {
  return mayMove(size.x, x) && mayMove(size.y, y) && mayMove(size.z, z);
}

__device__ __forceinline__ void store(const FieldView& field, std::ptrdiff_t at, const Vec3<float>& value) {
  field.x[at] = value.x;
  field.y[at] = value.y;
  field.z[at] = value.z;
}

/// What a voxel counts in the similarity.
__device__ inline float weightOf(const float* weights, std::int64_t voxel) {
  return weights ? weights[voxel] : 1;
}

/// A voxel of a block's tile or halo: its indices in the grid, and in the tile with a border of one.
struct TileCell {
  int x, y, column, row;

  __device__ bool isIn(const Vec3<int>& size) const { return x >= 0 && x < size.x && y >= 0 && y < size.y; }
};

__device__ inline TileCell cellOfTile(int column, int row) {
  return {int(blockIdx.x) * kTileX + column - 1, int(blockIdx.y) * kTileY + row - 1, column, row};
}
__device__ inline TileCell ownCell() {
  return cellOfTile(threadIdx.x % kTileX + 1, threadIdx.x / kTileX + 1);
}
/// The voxel of the halo, the voxels around the tile, that this thread looks after besides its own; outside
/// the grid where it has none. The halo has no corners.
__device__ inline TileCell haloCell() {
  const int t = threadIdx.x;
  if (t < kTileX) return cellOfTile(t + 1, 0);
  if (t < 2 * kTileX) return cellOfTile(t - kTileX + 1, kTileY + 1);
  if (t < 2 * kTileX + kTileY) return cellOfTile(0, t - 2 * kTileX + 1);
  if (t < 2 * (kTileX + kTileY)) return cellOfTile(kTileX + 1, t - 2 * kTileX - kTileY + 1);
  return {-1, -1, 0, 0};
}

/// Called by all threads of every block; true in the last block to come, which sees what every block wrote
/// before.
__device__ inline bool isLastBlock(GridBarrier* meeting) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x + threadIdx.y == 0) {
    __threadfence();
    const unsigned count = gridDim.x * gridDim.y * gridDim.z;
    last = atomicAdd(&meeting->finished, 1u) == count - 1;
    if (last) meeting->finished = 0;
    __threadfence();
  }
  __syncthreads();
  return last;
}

/// The grid of blocks whose tiles, `depth` planes deep, cover a level.
inline dim3 tilesOf(const Vec3<int>& size, int depth) {
  return dim3(blocksFor(size.x, kTileX), blocksFor(size.y, kTileY), blocksFor(size.z, depth));
}

/// The grid of blocks for the planes that one device computes.
inline dim3 tilesOf(const LevelJob& job, int depth) {
  return tilesOf(Vec3<int>{job.size.x, job.size.y, job.last - job.first}, depth);
}
/// The grid of blocks for some planes, one by one.
inline dim3 tilesOf(const LevelJob& job, const Planes& planes) {
  return tilesOf(Vec3<int>{job.size.x, job.size.y, planes.last - planes.first}, 1);
}

/// The planes that each block marches through, from `fewest` to `most`: fewer give small grids more blocks.
inline int planesOfBlock(const Vec3<int>& size, int fewest, int most) {
  const dim3 tiles = tilesOf(size, 1);
  constexpr std::int64_t enough = 800;  // blocks
  return int(std::clamp<std::int64_t>(std::int64_t(tiles.x) * tiles.y * tiles.z / enough, fewest, most));
}

}  // namespace sulcus::gpu::registration
