#include "gpu/registration/channels.h"
#include "gpu/registration/level_tile.cuh"

namespace sulcus::gpu::registration {
namespace {

/// A voxel of the grid: its indices in fields and in images.
struct ChannelVoxel {
  Vec3<int> at;
  int inField, inImage;
};

__device__ ChannelVoxel voxelOf(const LevelJob& job, const TileCell& own) {
  const int z = blockIdx.z;
  return {{own.x, own.y, z},
          own.x + own.y * job.row + z * job.plane,
          (z * job.size.y + own.y) * job.size.x + own.x};
}

template <bool Exact>
__device__ Texel<float> texelThere(const LevelJob& job, const FieldView& u, const ChannelVoxel& v) {
  return displacedTexel<int>(job.texels, job.size, v.at,
                             Vec3<float>{u.x[v.inField], u.y[v.inField], u.z[v.inField]}, job.inverse, Exact);
}

template <bool Exact>
__global__ void __launch_bounds__(kTileThreads)
    displaceChannelTile(const __grid_constant__ LevelJob job, FieldView u, float* warped) {
  const TileCell own = ownCell();
  if (!own.isIn(job.size)) return;
  const ChannelVoxel v = voxelOf(job, own);
  const float reference = job.reference[v.inImage];
  warped[v.inImage] = reference == reference ? texelThere<Exact>(job, u, v).v[0] : 0;
}

__global__ void __launch_bounds__(kTileThreads)
    weighTile(const __grid_constant__ LevelJob job, float share, float* slope, FieldView force) {
  const TileCell own = ownCell();
  if (!own.isIn(job.size)) return;
  const ChannelVoxel v = voxelOf(job, own);
  const float s = share * slope[v.inImage];
  force.x[v.inField] *= s, force.y[v.inField] *= s, force.z[v.inField] *= s;
  slope[v.inImage] = 1;
}

template <bool Exact>
__global__ void __launch_bounds__(kTileThreads)
    addChannelTile(const __grid_constant__ LevelJob job, FieldView u, float share, FieldView force) {
  const TileCell own = ownCell();
  if (!own.isIn(job.size)) return;
  const ChannelVoxel v = voxelOf(job, own);
  const float reference = job.reference[v.inImage];
  if (!(reference == reference) || !mayMove(job.size, own.x, own.y, v.at.z)) return;
  const Vec3<float> before{force.x[v.inField], force.y[v.inField], force.z[v.inField]};
  const Vec3<float> f = withChannelForce(before, share * job.slope[v.inImage], texelThere<Exact>(job, u, v));
  force.x[v.inField] = f.x, force.y[v.inField] = f.y, force.z[v.inField] = f.z;
}

}  // namespace

void displaceChannel(const LevelJob& job, FieldView u, float* warped, const Stream& stream) {
  const auto kernel = job.exact ? displaceChannelTile<true> : displaceChannelTile<false>;
  kernel<<<tilesOf(job.size, 1), kTileThreads, 0, stream.get()>>>(job, u, warped);
  SULCUS_CUDA_LAUNCHED("displaceChannelTile");
}

void weighFirstChannel(const LevelJob& job, float share, float* slope, FieldView force,
                       const Stream& stream) {
  weighTile<<<tilesOf(job.size, 1), kTileThreads, 0, stream.get()>>>(job, share, slope, force);
  SULCUS_CUDA_LAUNCHED("weighTile");
}

void addChannelForce(const LevelJob& job, FieldView u, float share, FieldView force, const Stream& stream) {
  const auto kernel = job.exact ? addChannelTile<true> : addChannelTile<false>;
  kernel<<<tilesOf(job.size, 1), kTileThreads, 0, stream.get()>>>(job, u, share, force);
  SULCUS_CUDA_LAUNCHED("addChannelTile");
}

}  // namespace sulcus::gpu::registration
