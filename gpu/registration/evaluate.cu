#include "gpu/registration/level_tile.cuh"
#include "gpu/runtime/warp.cuh"

#include <algorithm>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

constexpr int kWarps = kTileThreads / kWarpSize;

__device__ EnergySums operator+(const EnergySums& a, const EnergySums& b) {
  return {a.similarity + b.similarity, a.bias + b.bias, fminf(a.smallest, b.smallest), a.refused + b.refused};
}

/// The sums of the lane that is `distance` above the caller's.
__device__ EnergySums fromLaneAbove(const EnergySums& a, int distance) {
  return {__shfl_down_sync(kAllLanes, a.similarity, distance), __shfl_down_sync(kAllLanes, a.bias, distance),
          __shfl_down_sync(kAllLanes, a.smallest, distance),
          __shfl_down_sync(kAllLanes, a.refused, distance)};
}

/// Sums over the threads of a block in a fixed order; its first thread gets the result.
__device__ EnergySums sumOfBlock(EnergySums sum, EnergySums (&warps)[kWarps]) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2) sum = sum + fromLaneAbove(sum, distance);
  __syncthreads();
  if (ownLane() == 0) warps[threadIdx.x / kWarpSize] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < kWarps; ++w) sum = sum + warps[w];
  return sum;
}

/// The last block to come adds up those of all, in a fixed order.
__device__ void sumOfGrid(const EnergySums& mine, EnergySums* blocks, LevelMeeting* meeting,
                          LevelReport* report) {
  __shared__ EnergySums warps[kWarps];
  const EnergySums block = sumOfBlock(mine, warps);
  if (threadIdx.x == 0) blocks[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = block;
  if (!isLastBlock(meeting)) return;
  EnergySums sum{0, 0, INFINITY, 0};
  for (unsigned i = threadIdx.x; i < gridDim.x * gridDim.y * gridDim.z; i += kTileThreads) {
    const volatile EnergySums& b = blocks[i];
    sum = sum + EnergySums{b.similarity, b.bias, b.smallest, b.refused};
  }
  sum = sumOfBlock(sum, warps);
  if (threadIdx.x == 0) report->energy = sum;
}

/// The displacement that a kernel reads and does not write.
struct Read {
  const float* __restrict__ x, * __restrict__ y, * __restrict__ z;
};

__device__ Mat3<float> gradientAt(const LevelJob& job, const Read& u, const TileCell& cell, int z) {
  const int i = cell.x + cell.y * job.row + z * job.plane;
  return centralGradient(u.x + i, u.y + i, u.z + i, job.row, job.plane, job.half);
}

/// A block works on a tile of `depth` planes, from plane depth · blockIdx.z on. The stress of a plane is
/// computed before the force of the one below it; its columns x and y pass through shared memory, column z
/// stays with its thread.
template <bool Exact>
__global__ void __launch_bounds__(kTileThreads, 4)
    evaluateTile(const __grid_constant__ LevelJob job, const float* __restrict__ ux,
                 const float* __restrict__ uy, const float* __restrict__ uz, FieldView force, int depth,
                 EnergySums* blocks, LevelMeeting* meeting, LevelReport* report) {
  const Read u{ux, uy, uz};
  __shared__ float alongX[2][3][kTileY + 2][kTileX + 2], alongY[2][3][kTileY + 2][kTileX + 2];
  const TileCell own = ownCell(), halo = haloCell();
  const Vec3<int> n = job.size;
  const bool inside = own.isIn(n), haloInside = halo.isIn(n);
  const int first = blockIdx.z * depth, last = min(first + depth, n.z);
  const auto put = [&](const TileCell& cell, int z, const Mat3<float>& s) {
    const int b = z & 1, y = cell.row, x = cell.column;
    alongX[b][0][y][x] = s.xx, alongX[b][1][y][x] = s.yx, alongX[b][2][y][x] = s.zx;
    alongY[b][0][y][x] = s.xy, alongY[b][1][y][x] = s.yy, alongY[b][2][y][x] = s.zy;
  };
  if (threadIdx.x < 2 * (kTileX + kTileY) && !haloInside)  // stress is 0 outside the grid
    put(halo, 0, {}), put(halo, 1, {});
  EnergySums sum{0, 0, INFINITY, 0};
  Mat3<float> gradient{}, next{};
  Vec3<float> low{}, here{}, high{};  // column z of the stress
  const auto advance = [&](int z) {
    const bool exists = z >= 0 && z < n.z;
    gradient = next, low = here, here = high;
    Mat3<float> stress{};
    if (inside && exists) {
      next = gradientAt(job, u, own, z);
      stress = biasStress(next);
      if (z >= first && z < last) {
        const float change = volumeChange(next);
        sum.bias += double(biasDensity(change));
        sum.smallest = fminf(sum.smallest, change);
        sum.refused += !keepsVolume(change);
      }
    }
    high = {stress.xz, stress.yz, stress.zz};
    if (z < first || z >= last) return;
    put(own, z, stress);
    if (haloInside) put(halo, z, biasStress(gradientAt(job, u, halo, z)));
  };
  advance(first - 1);
  advance(first);
  for (int z = first; z < last; ++z) {
    __syncthreads();
    advance(z + 1);
    if (!inside) continue;
    const int at = own.x + own.y * job.row + z * job.plane;
    const float reference = job.reference[(z * n.y + own.y) * n.x + own.x];
    const Texel<float> t = displacedTexel<int>(job.texels, n, Vec3<int>{own.x, own.y, z},
                                               Vec3<float>{u.x[at], u.y[at], u.z[at]}, job.inverse, Exact);
    const float difference = misfit(t.v[0], reference);
    sum.similarity += 0.5 * double(difference) * double(difference);
    Vec3<float> f{};
    if (mayMove(n, own.x, own.y, z)) {
      const int b = z & 1, y = own.row, x = own.column;
      const auto with = [&](float f, int i, float below, float above) {
        return withBiasForce(f, job.lambda,
                             Vec3<float>{alongX[b][i][y][x + 1] - alongX[b][i][y][x - 1],
                                         alongY[b][i][y + 1][x] - alongY[b][i][y - 1][x], above - below},
                             job.half);
      };
      f = {with(difference * t.v[1], 0, low.x, high.x), with(difference * t.v[2], 1, low.y, high.y),
           with(difference * t.v[3], 2, low.z, high.z)};
      if (job.descent) f = pulledBack(gradient, f);
    }
    force.x[at] = f.x, force.y[at] = f.y, force.z[at] = f.z;
  }
  sumOfGrid(sum, blocks, meeting, report);
}

/// Planes that a block marches through: more compute fewer stresses twice, fewer give small grids more
/// blocks.
int depthOf(const Vec3<int>& size) {
  const dim3 tiles = tilesOf(size, 1);
  constexpr std::int64_t enough = 800;  // blocks
  return int(std::clamp<std::int64_t>(std::int64_t(tiles.x) * tiles.y * tiles.z / enough, 2, 32));
}

}  // namespace

std::int64_t blocksOfEvaluate(const Vec3<int>& size) {
  const dim3 tiles = tilesOf(size, depthOf(size));
  return std::int64_t(tiles.x) * tiles.y * tiles.z;
}

void evaluate(const LevelJob& job, FieldView u, FieldView force, EnergySums* blocks, LevelMeeting* meeting,
              LevelReport* report, const Stream& stream) {
  const int depth = depthOf(job.size);
  const auto kernel = job.exact ? evaluateTile<true> : evaluateTile<false>;
  kernel<<<tilesOf(job.size, depth), kTileThreads, 0, stream.get()>>>(job, u.x, u.y, u.z, force, depth,
                                                                      blocks, meeting, report);
  SULCUS_CUDA_LAUNCHED("evaluateTile");
}

}  // namespace sulcus::gpu::registration
