#include "core/registration/descent.h"
#include "gpu/registration/level_tile.cuh"

namespace sulcus::gpu {
namespace {

constexpr int kDepth = 16;  // planes that a block marches through
constexpr int kWarps = kTileThreads / 32;

/// composed() without the terms whose weights are 0.
__device__ Vec3<float> composedNear(const LevelJob& job, const FieldView& u, std::int64_t at,
                                    Vec3<float> move) {
  struct Pair {
    float low, high;
  };
  // d > 0 lies between the neighbour below and this voxel, else between this one and that above.
  const auto weights = [](float d) { return d > 0 ? Pair{d, 1 - d} : Pair{1 + d, -d}; };
  const float dx = move.x * job.inverse.x, dy = move.y * job.inverse.y, dz = move.z * job.inverse.z;
  const Pair wx = weights(dx), wy = weights(dy), wz = weights(dz);
  at -= (dx > 0 ? 1 : 0) + (dy > 0 ? job.row : 0) + (dz > 0 ? job.plane : 0);
  Vec3<float> sum = move;
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      const std::int64_t i = at + j * job.row + k * job.plane;
      const float w = (j ? wy.high : wy.low) * (k ? wz.high : wz.low);
      sum.x = fusedMultiplyAdd(w, fusedMultiplyAdd(wx.low, u.x[i], wx.high * u.x[i + 1]), sum.x);
      sum.y = fusedMultiplyAdd(w, fusedMultiplyAdd(wx.low, u.y[i], wx.high * u.y[i + 1]), sum.y);
      sum.z = fusedMultiplyAdd(w, fusedMultiplyAdd(wx.low, u.z[i], wx.high * u.z[i + 1]), sum.z);
    }
  return sum;
}

/// u at any place: as it is, or moved by dt v.
template <bool Moves>
__device__ Vec3<float> displacementAt(const LevelJob& job, const FieldView& u, const FieldView& v, float dt,
                                      int x, int y, int z) {
  if (!mayMove(job.size.x, x) || !mayMove(job.size.y, y) || !mayMove(job.size.z, z)) return {};
  const std::int64_t at = x + y * job.row + z * job.plane;
  if constexpr (Moves)
    return composedNear(job, u, at, {dt * v.x[at], dt * v.y[at], dt * v.z[at]});
  else
    return {u.x[at], u.y[at], u.z[at]};
}

__device__ EnergySums operator+(const EnergySums& a, const EnergySums& b) {
  return {a.similarity + b.similarity, a.bias + b.bias, fminf(a.smallest, b.smallest), a.refused + b.refused};
}

__device__ EnergySums fromLane(const EnergySums& a, int distance) {
  constexpr unsigned all = 0xffffffffu;
  return {__shfl_down_sync(all, a.similarity, distance), __shfl_down_sync(all, a.bias, distance),
          __shfl_down_sync(all, a.smallest, distance), __shfl_down_sync(all, a.refused, distance)};
}

/// Over the threads of a block, in a fixed order; for its first thread.
__device__ EnergySums sumOfBlock(EnergySums sum, EnergySums (&warps)[kWarps]) {
  for (int distance = 16; distance > 0; distance /= 2) sum = sum + fromLane(sum, distance);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < kWarps; ++w) sum = sum + warps[w];
  return sum;
}

/// The last block to come adds up those of all, in a fixed order.
__device__ void sumOfGrid(const EnergySums& mine, EnergySums* blocks, LevelSums* sums) {
  __shared__ EnergySums warps[kWarps];
  __shared__ bool last;
  const unsigned count = gridDim.x * gridDim.y * gridDim.z;
  const EnergySums block = sumOfBlock(mine, warps);
  if (threadIdx.x == 0) {
    blocks[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = block;
    __threadfence();
    last = atomicAdd(&sums->finished, 1u) == count - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  EnergySums sum{0, 0, INFINITY, 0};
  for (unsigned i = threadIdx.x; i < count; i += kTileThreads) {
    const volatile EnergySums& b = blocks[i];
    sum = sum + EnergySums{b.similarity, b.bias, b.smallest, b.refused};
  }
  sum = sumOfBlock(sum, warps);
  if (threadIdx.x == 0) sums->energy = sum, sums->finished = 0;
}

template <bool Moves, bool Exact>
__global__ void __launch_bounds__(kTileThreads, 2)
    evaluateTile(const __grid_constant__ LevelJob job, FieldView u, FieldView v, float dt, FieldView trial,
                 FieldView force, EnergySums* blocks, LevelSums* sums) {
  __shared__ float planes[2][3][kTileY + 2][kTileX + 2];
  const TileCell own = ownCell(), halo = haloCell();
  const Vec3<int> n = job.size;
  const auto at = [&](const TileCell& cell, int z) {
    return displacementAt<Moves>(job, u, v, dt, cell.x, cell.y, z);
  };
  const auto put = [&](const TileCell& cell, int z, const Vec3<float>& value) {
    auto& plane = planes[z & 1];
    plane[0][cell.row][cell.column] = value.x;
    plane[1][cell.row][cell.column] = value.y;
    plane[2][cell.row][cell.column] = value.z;
  };
  const int first = blockIdx.z * kDepth, last = min(first + kDepth, n.z);
  const bool inside = own.x < n.x && own.y < n.y, moves = mayMove(n.x, own.x) && mayMove(n.y, own.y);
  Vec3<float> low = at(own, first - 1), here = at(own, first);
  put(own, first, here);
  if (halo.exists) put(halo, first, at(halo, first));
  EnergySums sum{0, 0, INFINITY, 0};
  for (int z = first; z < last; ++z) {
    const Vec3<float> high = at(own, z + 1);
    __syncthreads();
    put(own, z + 1, high);
    if (halo.exists) put(halo, z + 1, at(halo, z + 1));
    if (inside) {
      const auto& plane = planes[z & 1];
      const auto difference = [&](int i, int dx, int dy) {
        return plane[i][own.row + dy][own.column + dx] - plane[i][own.row - dy][own.column - dx];
      };
      const Vec3<float> h = job.half;
      const float change = volumeChange(
          Mat3<float>{h.x * difference(0, 1, 0), h.y * difference(0, 0, 1), h.z * (high.x - low.x),
                      h.x * difference(1, 1, 0), h.y * difference(1, 0, 1), h.z * (high.y - low.y),
                      h.x * difference(2, 1, 0), h.y * difference(2, 0, 1), h.z * (high.z - low.z)});
      const float reference = job.reference[(std::int64_t(z) * n.y + own.y) * n.x + own.x];
      const auto term =
          imageTerm(job.texels, n, Vec3<int>{own.x, own.y, z}, here, reference, job.inverse, Exact);
      sum = sum + EnergySums{0.5 * double(term.misfit) * double(term.misfit), double(biasDensity(change)),
                             change, !(change > float(kSmallestJ - 1))};
      const bool free = moves && mayMove(n.z, z);
      const std::int64_t i = own.x + own.y * job.row + z * job.plane;
      force.x[i] = free ? term.force.x : 0.0f;
      force.y[i] = free ? term.force.y : 0.0f;
      force.z[i] = free ? term.force.z : 0.0f;
      if constexpr (Moves) trial.x[i] = here.x, trial.y[i] = here.y, trial.z[i] = here.z;
    }
    low = here, here = high;
  }
  sumOfGrid(sum, blocks, sums);
}

template <bool Moves>
void launch(const LevelJob& job, FieldView u, FieldView v, float dt, FieldView trial, FieldView force,
            EnergySums* blocks, LevelSums* sums, const Stream& stream) {
  const auto kernel = job.exact ? evaluateTile<Moves, true> : evaluateTile<Moves, false>;
  kernel<<<tilesOf(job.size, kDepth), kTileThreads, 0, stream.get()>>>(job, u, v, dt, trial, force, blocks,
                                                                       sums);
  SULCUS_CUDA_LAUNCHED("evaluateTile");
}

__global__ void texelsOfTile(const __grid_constant__ LevelJob job, const float* moving,
                             Texel<float>* texels) {
  const Vec3<int> n = job.size;
  const TileCell own = ownCell();
  const int z = blockIdx.z;
  if (own.x >= n.x || own.y >= n.y) return;
  texels[(std::int64_t(z) * n.y + own.y) * n.x + own.x] = texelAt(moving, n, own.x, own.y, z, job.half);
}

}  // namespace

std::int64_t blocksOfEvaluate(const Vec3<int>& size) {
  const dim3 tiles = tilesOf(size, kDepth);
  return std::int64_t(tiles.x) * tiles.y * tiles.z;
}

void makeTexels(const LevelJob& job, const float* moving, Texel<float>* texels, const Stream& stream) {
  texelsOfTile<<<tilesOf(job.size, 1), kTileThreads, 0, stream.get()>>>(job, moving, texels);
  SULCUS_CUDA_LAUNCHED("texelsOfTile");
}

void evaluate(const LevelJob& job, FieldView u, FieldView imageForce, EnergySums* blocks, LevelSums* sums,
              const Stream& stream) {
  launch<false>(job, u, u, 0, u, imageForce, blocks, sums, stream);
}

void composeAndEvaluate(const LevelJob& job, FieldView u, FieldView v, float dt, FieldView trial,
                        FieldView imageForce, EnergySums* blocks, LevelSums* sums, const Stream& stream) {
  launch<true>(job, u, v, dt, trial, imageForce, blocks, sums, stream);
}

}  // namespace sulcus::gpu
