#include "gpu/registration/deformation/level_tile.cuh"
#include "gpu/runtime/warp.cuh"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
inline namespace hold_kernels {

/// Whether the volume at a corner of a voxel vanishes; `at` is its index in the arrays of u.
__device__ bool vanishes(const LevelJob& job, const FieldView& u, int at) {
  return !keepsVolume(smallestCornerJ(u.x + at, u.y + at, u.z + at, job.row, job.plane, job.inverse) - 1);
}

__global__ void __launch_bounds__(kTileThreads)
    countTile(const __grid_constant__ LevelJob job, FieldView u, int depth, GridBarrier* meeting,
              LevelReport* report) {
  const TileCell own = ownCell();
  const int first = job.first + blockIdx.z * depth, last = min(first + depth, job.last);
  unsigned count = 0;
  if (own.isIn(job.size))
    for (int z = first; z < last; ++z) count += vanishes(job, u, own.x + own.y * job.row + z * job.plane);
  count = sumOverLanes(count);
  if (ownLane() == 0 && count > 0) atomicAdd(&meeting->vanishing, count);
  if (isLastBlock(meeting) && threadIdx.x == 0) report->vanishing = atomicExch(&meeting->vanishing, 0u);
}

/// Each vanishing voxel raises the shares around it. Shares are not negative, so their bits have the same
/// order, and the maximum does not depend on the order of execution.
__global__ void __launch_bounds__(kTileThreads)
    raiseShares(const __grid_constant__ LevelJob job, FieldView moved, int first, float* shares) {
  const TileCell own = ownCell();
  const Vec3<int> n = job.size;
  if (!own.isIn(n)) return;
  const int z = first + blockIdx.z, at = own.x + own.y * job.row + z * job.plane;
  if (!vanishes(job, moved, at)) return;
  for (int k = max(0, z - kHoldRadius); k <= min(n.z - 1, z + kHoldRadius); ++k)
    for (int j = max(0, own.y - kHoldRadius); j <= min(n.y - 1, own.y + kHoldRadius); ++j)
      for (int i = max(0, own.x - kHoldRadius); i <= min(n.x - 1, own.x + kHoldRadius); ++i) {
        const int dx = i - own.x, dy = j - own.y, dz = k - z;
        const float share = heldShare<float>(dx * dx + dy * dy + dz * dz);
        if (share > 0)
          atomicMax(reinterpret_cast<unsigned*>(shares + i + j * job.row + k * job.plane),
                    __float_as_uint(share));
      }
}

__global__ void __launch_bounds__(kTileThreads)
    slowDown(const __grid_constant__ LevelJob job, const float* shares, FieldView v) {
  const TileCell own = ownCell();
  if (!own.isIn(job.size)) return;
  const int at = own.x + own.y * job.row + (job.first + int(blockIdx.z)) * job.plane;
  const float share = shares[at];
  if (!(share > 0)) return;
  v.x[at] *= 1 - share;
  v.y[at] *= 1 - share;
  v.z[at] *= 1 - share;
}

}  // namespace hold_kernels

void countVanishing(const LevelJob& job, FieldView u, GridBarrier* meeting, LevelReport* report,
                    const Stream& stream) {
  const int depth = planesOfBlock(job.size, 2, 8);
  countTile<<<tilesOf(job, depth), kTileThreads, 0, stream.get()>>>(job, u, depth, meeting, report);
  SULCUS_CUDA_LAUNCHED("countTile");
}

void guardAgainstFolds(const LevelJob& job, FieldView moved, float* shares, FieldView v,
                       const Stream& stream) {
  const Planes around = planesAround(job, kHoldRadius);
  raiseShares<<<tilesOf(job, around), kTileThreads, 0, stream.get()>>>(job, moved, around.first, shares);
  SULCUS_CUDA_LAUNCHED("raiseShares");
  slowDown<<<tilesOf(job, 1), kTileThreads, 0, stream.get()>>>(job, shares, v);
  SULCUS_CUDA_LAUNCHED("slowDown");
}

}  // namespace sulcus::gpu::registration
