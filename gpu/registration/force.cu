#include "gpu/registration/level_tile.cuh"

namespace sulcus::gpu {
namespace {

constexpr int kDepth = 16;  // planes that a block marches through

__device__ Mat3<float> gradientAt(const LevelJob& job, const FieldView& u, int x, int y, int z) {
  const std::int64_t i = x + y * job.row + z * job.plane;
  return centralGradient(u.x + i, u.y + i, u.z + i, job.row, job.plane, job.half);
}

__global__ void __launch_bounds__(kTileThreads, 2)
    biasForceTile(const __grid_constant__ LevelJob job, FieldView u, FieldView force, LevelSums* sums) {
  // Columns x and y of the stress.
  __shared__ float alongX[2][3][kTileY + 2][kTileX + 2], alongY[2][3][kTileY + 2][kTileX + 2];
  const TileCell own = ownCell(), halo = haloCell();
  const Vec3<int> n = job.size;
  if (blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x == 0) sums->largestSquare = 0;
  const auto has = [&](const TileCell& cell, int z) {
    return cell.x >= 0 && cell.x < n.x && cell.y >= 0 && cell.y < n.y && z >= 0 && z < n.z;
  };
  const auto put = [&](const TileCell& cell, int z, const Mat3<float>& s) {
    const int b = z & 1, y = cell.row, x = cell.column;
    alongX[b][0][y][x] = s.xx, alongX[b][1][y][x] = s.yx, alongX[b][2][y][x] = s.zx;
    alongY[b][0][y][x] = s.xy, alongY[b][1][y][x] = s.yy, alongY[b][2][y][x] = s.zy;
  };
  const auto putHalo = [&](int z) {
    if (halo.exists)
      put(halo, z, has(halo, z) ? biasStress(gradientAt(job, u, halo.x, halo.y, z)) : Mat3<float>{});
  };
  const int first = blockIdx.z * kDepth, last = min(first + kDepth, n.z);
  Mat3<float> gradient{}, next{};
  Vec3<float> low{}, here{}, high{};  // column z of the stress
  const auto advance = [&](int z) {
    Mat3<float> stress{};
    gradient = next, low = here, here = high;
    if (has(own, z)) next = gradientAt(job, u, own.x, own.y, z), stress = biasStress(next);
    high = {stress.xz, stress.yz, stress.zz};
    return stress;
  };
  advance(first - 1);
  put(own, first, advance(first));
  putHalo(first);
  const bool moves = mayMove(n.x, own.x) && mayMove(n.y, own.y);
  for (int z = first; z < last; ++z) {
    const Mat3<float> stress = advance(z + 1);
    __syncthreads();
    put(own, z + 1, stress);
    putHalo(z + 1);
    if (!moves || !mayMove(n.z, z)) continue;
    const std::int64_t at = own.x + own.y * job.row + z * job.plane;
    const int b = z & 1, y = own.row, x = own.column;
    const auto with = [&](float f, int i, float below, float above) {
      return withBiasForce(f, job.lambda,
                           Vec3<float>{alongX[b][i][y][x + 1] - alongX[b][i][y][x - 1],
                                       alongY[b][i][y + 1][x] - alongY[b][i][y - 1][x], above - below},
                           job.half);
    };
    Vec3<float> f{with(force.x[at], 0, low.x, high.x), with(force.y[at], 1, low.y, high.y),
                  with(force.z[at], 2, low.z, high.z)};
    if (job.descent) f = pulledBack(gradient, f);
    force.x[at] = f.x, force.y[at] = f.y, force.z[at] = f.z;
  }
}

}  // namespace

void addBiasForce(const LevelJob& job, FieldView u, FieldView force, LevelSums* sums, const Stream& stream) {
  biasForceTile<<<tilesOf(job.size, kDepth), kTileThreads, 0, stream.get()>>>(job, u, force, sums);
  SULCUS_CUDA_LAUNCHED("biasForceTile");
}

}  // namespace sulcus::gpu
