#include "gpu/registration/energy_sums.cuh"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

/// The displacement that a kernel reads and does not write.
struct Read {
  const float* __restrict__ x, * __restrict__ y, * __restrict__ z;
};

__device__ Mat3<float> gradientAt(const LevelJob& job, const Read& u, const TileCell& cell, int z) {
  const int i = cell.x + cell.y * job.row + z * job.plane;
  return centralGradient(u.x + i, u.y + i, u.z + i, job.row, job.plane, job.half);
}

/// A block works on a tile of `depth` planes, from plane depth · blockIdx.z of its device on. The stress of a
/// plane is computed before the force of the one below it; its columns x and y pass through shared memory,
/// column z stays with its thread.
///
/// @tparam Given  the force of the images is what `force` holds, ∇T(x − u), times job.slope
template <bool Exact, bool Given>
__global__ void __launch_bounds__(kTileThreads, 4)
    evaluateTile(const __grid_constant__ LevelJob job, const float* __restrict__ ux,
                 const float* __restrict__ uy, const float* __restrict__ uz, FieldView velocity,
                 FieldView force, int depth, EnergySums* blocks, LevelMeeting* meeting, LevelReport* report) {
  const Read u{ux, uy, uz};
  __shared__ float alongX[2][3][kTileY + 2][kTileX + 2], alongY[2][3][kTileY + 2][kTileX + 2];
  const TileCell own = ownCell(), halo = haloCell();
  const Vec3<int> n = job.size;
  const bool inside = own.isIn(n), haloInside = halo.isIn(n);
  const int first = job.first + blockIdx.z * depth, last = min(first + depth, job.last);
  const auto put = [&](const TileCell& cell, int z, const Mat3<float>& s) {
    const int b = z & 1, y = cell.row, x = cell.column;
    alongX[b][0][y][x] = s.xx, alongX[b][1][y][x] = s.yx, alongX[b][2][y][x] = s.zx;
    alongY[b][0][y][x] = s.xy, alongY[b][1][y][x] = s.yy, alongY[b][2][y][x] = s.zy;
  };
  if (threadIdx.x < 2 * (kTileX + kTileY) && !haloInside)  // stress is 0 outside the grid
    put(halo, 0, {}), put(halo, 1, {});
  EnergySums sum = kNoSums;
  Mat3<float> gradient{}, next{};
  Vec3<float> low{}, here{}, high{};  // column z of the stress
  const auto advance = [&](int z) {
    const bool exists = z >= 0 && z < n.z;
    gradient = next, low = here, here = high;
    Mat3<float> stress{};
    if (inside && exists) {
      next = gradientAt(job, u, own, z);
      stress = regularizerStress(next, job.membrane);
      if (z >= first && z < last) {
        const float change = volumeChange(next);
        sum.bias += double(regularizerDensity(change, next, job.membrane));
        sum.smallest = fminf(sum.smallest, change);
        sum.refused += !keepsVolume(change);
      }
    }
    high = {stress.xz, stress.yz, stress.zz};
    if (z < first || z >= last) return;
    put(own, z, stress);
    if (haloInside) put(halo, z, regularizerStress(gradientAt(job, u, halo, z), job.membrane));
  };
  advance(first - 1);
  advance(first);
  for (int z = first; z < last; ++z) {
    __syncthreads();
    advance(z + 1);
    if (!inside) continue;
    const int at = own.x + own.y * job.row + z * job.plane;
    const int voxel = (z * n.y + own.y) * n.x + own.x;
    Vec3<float> image;  // the force of the images
    if constexpr (Given) {
      const float slope = job.slope[voxel];
      image = {slope * force.x[at], slope * force.y[at], slope * force.z[at]};
    } else {
      const Texel<float> t = displacedTexel<int>(job.texels, n, Vec3<int>{own.x, own.y, z},
                                                 Vec3<float>{u.x[at], u.y[at], u.z[at]}, job.inverse, Exact);
      const float difference = misfit(t.v[0], job.reference[voxel]);
      sum.similarity += 0.5 * double(difference) * double(difference);
      image = {difference * t.v[1], difference * t.v[2], difference * t.v[3]};
    }
    Vec3<float> f{};
    if (mayMove(n, own.x, own.y, z)) {
      const int b = z & 1, y = own.row, x = own.column;
      const auto with = [&](float f, int i, float below, float above) {
        return withBiasForce(f, job.lambda,
                             Vec3<float>{alongX[b][i][y][x + 1] - alongX[b][i][y][x - 1],
                                         alongY[b][i][y + 1][x] - alongY[b][i][y - 1][x], above - below},
                             job.half);
      };
      f = {with(image.x, 0, low.x, high.x), with(image.y, 1, low.y, high.y), with(image.z, 2, low.z, high.z)};
      if (job.descent) f = pulledBack(gradient, f);
      sum.uphill -= double(f.x) * double(velocity.x[at]) + double(f.y) * double(velocity.y[at]) +
                    double(f.z) * double(velocity.z[at]);
    }
    force.x[at] = f.x, force.y[at] = f.y, force.z[at] = f.z;
  }
  sumOfGrid(sum, blocks, meeting, &report->energy);
}

template <bool Exact>
__global__ void __launch_bounds__(kTileThreads)
    displaceTile(const __grid_constant__ LevelJob job, FieldView u, int first, float* warped,
                 FieldView gradient) {
  const TileCell own = ownCell();
  const Vec3<int> n = job.size;
  if (!own.isIn(n)) return;
  const int z = first + blockIdx.z, at = own.x + own.y * job.row + z * job.plane,
            voxel = (z * n.y + own.y) * n.x + own.x;
  const Texel<float> t = displacedTexel<int>(job.texels, n, Vec3<int>{own.x, own.y, z},
                                             Vec3<float>{u.x[at], u.y[at], u.z[at]}, job.inverse, Exact);
  const float reference = job.reference[voxel];
  const bool compared = reference == reference, moves = compared && mayMove(n, own.x, own.y, z);
  warped[voxel] = compared ? t.v[0] : 0;
  gradient.x[at] = moves ? t.v[1] : 0, gradient.y[at] = moves ? t.v[2] : 0,
  gradient.z[at] = moves ? t.v[3] : 0;
}

__global__ void __launch_bounds__(kTileThreads)
    sumAll(const EnergySums* blocks, unsigned count, EnergySums* total) {
  __shared__ EnergySums warps[kWarps];
  const EnergySums sum = sumOfBlocks(blocks, count, warps);
  if (threadIdx.x == 0) *total = sum;
}

}  // namespace

std::int64_t blocksOfPlane(const Vec3<int>& size) {
  const dim3 tiles = tilesOf(size, 1);
  return std::int64_t(tiles.x) * tiles.y;
}

// More compute fewer stresses twice.
int planesOfEvaluate(const Vec3<int>& size) { return planesOfBlock(size, 2, 32); }

void sumBlocks(const EnergySums* blocks, std::int64_t count, EnergySums* total, const Stream& stream) {
  sumAll<<<1, kTileThreads, 0, stream.get()>>>(blocks, unsigned(count), total);
  SULCUS_CUDA_LAUNCHED("sumAll");
}

std::int64_t blocksOfEvaluate(const Vec3<int>& size) {
  const dim3 tiles = tilesOf(size, planesOfEvaluate(size));
  return std::int64_t(tiles.x) * tiles.y * tiles.z;
}

void displaceTemplate(const LevelJob& job, FieldView u, int reach, float* warped, FieldView gradient,
                      const Stream& stream) {
  const auto kernel = job.exact ? displaceTile<true> : displaceTile<false>;
  const Planes planes = planesAround(job, reach);
  kernel<<<tilesOf(job, planes), kTileThreads, 0, stream.get()>>>(job, u, planes.first, warped, gradient);
  SULCUS_CUDA_LAUNCHED("displaceTile");
}

void evaluate(const LevelJob& job, FieldView u, FieldView velocity, FieldView force, EnergySums* blocks,
              LevelMeeting* meeting, LevelReport* report, const Stream& stream) {
  const int depth = planesOfEvaluate(job.size);
  const auto kernel = job.slope   ? evaluateTile<false, true>
                      : job.exact ? evaluateTile<true, false>
                                  : evaluateTile<false, false>;
  kernel<<<tilesOf(job, depth), kTileThreads, 0, stream.get()>>>(job, u.x, u.y, u.z, velocity, force, depth,
                                                                 blocks, meeting, report);
  SULCUS_CUDA_LAUNCHED("evaluateTile");
}

const void* kernelOfEvaluate() { return reinterpret_cast<const void*>(evaluateTile<false, false>); }

}  // namespace sulcus::gpu::registration
