#include "core/registration/deformation/pyramid.h"
#include "core/registration/preparation/preparation_kernel.h"
#include "gpu/registration/deformation/level_tile.cuh"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
inline namespace compose_kernels {

/// composed() without the terms whose weights are 0.
__device__ Vec3<float> composedNear(const LevelJob& job, const FieldView& u, int at, Vec3<float> move) {
  struct Pair {
    float low, high;
  };
  // d > 0 lies between the neighbor below and this voxel, otherwise between this one and the neighbor above.
  const auto weights = [](float d) { return d > 0 ? Pair{d, 1 - d} : Pair{1 + d, -d}; };
  const auto weightOf = [](const Pair& pair, int upper) { return upper ? pair.high : pair.low; };
  const auto below = [](float d, int stride) { return d > 0 ? stride : 0; };
  const float dx = move.x * job.inverse.x, dy = move.y * job.inverse.y, dz = move.z * job.inverse.z;
  const Pair wx = weights(dx), wy = weights(dy), wz = weights(dz);
  at -= below(dx, 1) + below(dy, job.row) + below(dz, job.plane);
  Vec3<float> sum = move;
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      const int i = at + j * job.row + k * job.plane;
      const float w = weightOf(wy, j) * weightOf(wz, k);
      const auto along = [&](const float* p) {
        return fusedMultiplyAdd(wx.low, __ldg(p + i), wx.high * __ldg(p + i + 1));
      };
      sum.x = fusedMultiplyAdd(w, along(u.x), sum.x);
      sum.y = fusedMultiplyAdd(w, along(u.y), sum.y);
      sum.z = fusedMultiplyAdd(w, along(u.z), sum.z);
    }
  return sum;
}

constexpr int kPlanes = 2;  // consecutive planes of a thread

__global__ void __launch_bounds__(kTileThreads)
    composeTile(const __grid_constant__ LevelJob job, FieldView u, FieldView v, float dt, FieldView result) {
  const TileCell own = ownCell();
  const int z0 = job.first + blockIdx.z * kPlanes, first = own.x + own.y * job.row + z0 * job.plane;
  if (!own.isIn(job.size)) return;
  Vec3<float> moved[kPlanes] = {};
#pragma unroll
  for (int p = 0; p < kPlanes; ++p) {
    const int at = first + p * job.plane;
    if (mayMove(job.size, own.x, own.y, z0 + p))
      moved[p] = composedNear(job, u, at, {dt * __ldg(v.x + at), dt * __ldg(v.y + at), dt * __ldg(v.z + at)});
  }
#pragma unroll
  for (int p = 0; p < kPlanes; ++p) {
    const int at = first + p * job.plane;
    if (z0 + p < job.last) store(result, at, moved[p]);
  }
}

__global__ void __launch_bounds__(kTileThreads)
    texelsOfTile(const __grid_constant__ LevelJob job, const float* moving, Texel<float>* texels) {
  const TileCell own = ownCell();
  const Vec3<int> n = job.size;
  const int z = blockIdx.z;
  if (own.isIn(n))
    texels[(std::int64_t(z) * n.y + own.y) * n.x + own.x] = texelAt(moving, n, own.x, own.y, z, job.half);
}

__global__ void __launch_bounds__(kTileThreads)
    refineTile(const __grid_constant__ LevelJob job, const __grid_constant__ FieldArrays coarse,
               Vec3<double> step, int first, FieldView u) {
  const TileCell own = ownCell();
  const int z = first + blockIdx.z;
  if (!own.isIn(job.size) || !mayMove(job.size, own.x, own.y, z)) return;
  store(u, own.x + own.y * job.row + z * job.plane,
        interpolatedAt(coarse, steppedPlace({own.x, own.y, z}, step)));
}

}  // namespace compose_kernels

void refineDisplacement(const LevelJob& job, const FieldArrays& coarse, Planes planes, FieldView u,
                        const Stream& stream) {
  refineTile<<<tilesOf(job, planes), kTileThreads, 0, stream.get()>>>(
      job, coarse, refiningStep(job.size, coarse.size), planes.first, u);
  SULCUS_CUDA_LAUNCHED("refineTile");
}

void makeTexels(const LevelJob& job, const float* moving, Texel<float>* texels, const Stream& stream) {
  texelsOfTile<<<tilesOf(job.size, 1), kTileThreads, 0, stream.get()>>>(job, moving, texels);
  SULCUS_CUDA_LAUNCHED("texelsOfTile");
}

void compose(const LevelJob& job, FieldView u, FieldView v, float dt, FieldView result,
             const Stream& stream) {
  composeTile<<<tilesOf(job, kPlanes), kTileThreads, 0, stream.get()>>>(job, u, v, dt, result);
  SULCUS_CUDA_LAUNCHED("composeTile");
}

}  // namespace sulcus::gpu::registration
