#include "gpu/registration/level_tile.cuh"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

/// Each voxel that vanishes raises the shares around it. Shares are not negative: their bits are ordered as
/// they are, and the largest does not depend on who comes first.
__global__ void __launch_bounds__(kTileThreads)
    raiseShares(const __grid_constant__ LevelJob job, FieldView moved, float* shares) {
  const TileCell own = ownCell();
  const Vec3<int> n = job.size;
  if (!own.isIn(n)) return;
  const int z = blockIdx.z, at = own.x + own.y * job.row + z * job.plane;
  if (keepsVolume(volumeChange(
          centralGradient(moved.x + at, moved.y + at, moved.z + at, job.row, job.plane, job.half))))
    return;
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
  const int at = own.x + own.y * job.row + int(blockIdx.z) * job.plane;
  const float share = shares[at];
  if (!(share > 0)) return;
  v.x[at] *= 1 - share, v.y[at] *= 1 - share, v.z[at] *= 1 - share;
}

}  // namespace

void holdBack(const LevelJob& job, FieldView moved, float* shares, FieldView v, const Stream& stream) {
  raiseShares<<<tilesOf(job.size, 1), kTileThreads, 0, stream.get()>>>(job, moved, shares);
  SULCUS_CUDA_LAUNCHED("raiseShares");
  slowDown<<<tilesOf(job.size, 1), kTileThreads, 0, stream.get()>>>(job, shares, v);
  SULCUS_CUDA_LAUNCHED("slowDown");
}

}  // namespace sulcus::gpu::registration
