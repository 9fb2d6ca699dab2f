#include "gpu/registration/deformation/level_tile.cuh"
#include "gpu/registration/similarity/channels.h"

namespace sulcus::gpu::registration {
inline namespace channels_kernels {

template <bool Exact>
__global__ void __launch_bounds__(kTileThreads)
    addChannelTile(const __grid_constant__ LevelJob job, FieldView u, float share, bool first,
                   FieldView force) {
  const TileCell own = ownCell();
  const Vec3<int> n = job.size;
  if (!own.isIn(n)) return;
  const int z = blockIdx.z, at = own.x + own.y * job.row + z * job.plane;
  const Texel<float> t = displacedTexel<int>(job.texels, n, Vec3<int>{own.x, own.y, z},
                                             Vec3<float>{u.x[at], u.y[at], u.z[at]}, job.inverse, Exact);
  const Vec3<float> before = first ? Vec3<float>{} : Vec3<float>{force.x[at], force.y[at], force.z[at]};
  const Vec3<float> f = withChannelForce(before, share * job.slope[(z * n.y + own.y) * n.x + own.x], t);
  store(force, at, f);
}

}  // namespace channels_kernels

void addChannelForce(const LevelJob& job, FieldView u, float share, bool first, FieldView force,
                     const Stream& stream) {
  const auto kernel = job.exact ? addChannelTile<true> : addChannelTile<false>;
  kernel<<<tilesOf(job.size, 1), kTileThreads, 0, stream.get()>>>(job, u, share, first, force);
  SULCUS_CUDA_LAUNCHED("addChannelTile");
}

}  // namespace sulcus::gpu::registration
