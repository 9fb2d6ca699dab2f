#pragma once

#include "gpu/registration/deformation/level_tile.cuh"

#include <cuda_pipeline_primitives.h>

// For files compiled by nvcc only.

namespace sulcus::gpu::registration {

/// A vector field around the tile of a block that marches through planes, in shared memory: four planes of it
/// in turn. While differences are taken on plane z, from planes z − 1, z and z + 1, the next one is on its
/// way.
class TilePlanes {
 public:
  static constexpr int kReach = 2;  ///< voxels around the tile: those around its halo
  static constexpr int kQuads = 10, kRow = 4 * kQuads, kRows = kTileY + 2 * kReach, kComponent = kRows * kRow,
                       kPlane = 3 * kComponent, kPlanes = 4;

  /// @param memory  shared by the block
  __device__ TilePlanes(const LevelJob& job, const FieldView& field, float (&memory)[kPlanes * kPlane])
      : job_(job), component_(field.y - field.x), memory_(memory) {
    // Each of the last threads copies a quad of a row: the first threads look after the halo, too. For voxels
    // beyond the layer of zeros around the grid others are copied; they are not used.
    const int quad = int(threadIdx.x) - (kTileThreads - kRows * kQuads);
    const int x = kTileX * int(blockIdx.x) - kBefore + 4 * (quad % kQuads),
              y = kTileY * int(blockIdx.y) - kReach + quad / kQuads;
    copies_ = quad >= 0;
    from_ = field.x + min(x, job.size.x & ~3) + min(max(y, -1), job.size.y) * job.row;
    to_ = memory + 4 * quad;
  }

  /// The place of a voxel of the tile or its halo in each plane.
  static __device__ int placeOf(const TileCell& cell) {
    return (cell.row - 1 + kReach) * kRow + cell.column - 1 + kBefore;
  }

  /// Starts to copy a plane, over the fourth below it. Called by all threads of the block, as is arrive().
  __device__ void start(int z) {
    if (copies_) {
      const float* const from = from_ + min(max(z, -1), job_.size.z) * job_.plane;
      float* const to = to_ + beginOf(z);
#pragma unroll
      for (int i = 0; i < 3; ++i)
        __pipeline_memcpy_async(to + i * kComponent, from + i * component_, 4 * sizeof(float));
    }
    __pipeline_commit();
  }

  /// Waits until what was started is there, and until all threads are here.
  __device__ void arrive() {
    __pipeline_wait_prior(0);
    __syncthreads();
  }

  __device__ Vec3<float> at(int place, int z) const {
    const float* const p = memory_ + beginOf(z) + place;
    return {p[0], p[kComponent], p[2 * kComponent]};
  }

  __device__ Mat3<float> gradientAt(int place, int z) const {
    const float *const here = memory_ + beginOf(z) + place, *const below = memory_ + beginOf(z - 1) + place,
                       *const above = memory_ + beginOf(z + 1) + place;
    const auto along = [&](int component, int step) {
      const float* const p = here + component * kComponent;
      return p[step] - p[-step];
    };
    const auto depth = [&](int i) { return above[i * kComponent] - below[i * kComponent]; };
    return gradientOf(Mat3<float>{along(0, 1), along(0, kRow), depth(0), along(1, 1), along(1, kRow),
                                  depth(1), along(2, 1), along(2, kRow), depth(2)},
                      job_.half);
  }

 private:
  static constexpr int kBefore = 4;  // voxels of a row before the tile: rows are whole quads, as in a field
  static_assert(kRows * kQuads <= kTileThreads && kReach <= kBefore && kBefore + kTileX + kReach <= kRow);

  static __device__ int beginOf(int z) { return (z & (kPlanes - 1)) * kPlane; }

  const LevelJob& job_;
  std::ptrdiff_t component_;
  float* memory_;
  bool copies_;
  const float* from_;
  float* to_;
};

}  // namespace sulcus::gpu::registration
