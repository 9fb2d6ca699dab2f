#include "gpu/registration/deformation/energy_sums.cuh"
#include "gpu/registration/deformation/tile_planes.cuh"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
inline namespace evaluate_kernels {

constexpr int kEvaluateBlocks =
    3;  // at once on a multiprocessor; with more, too few registers are left for their loads

/// Interpolation of the template: trilinear with TemplateGradient, or by a cubic B-spline, with the central
/// gradient.
enum class Sampling { central, exact, cubic };

Sampling samplingOf(const LevelJob& job) {
  return job.spline.coefficients ? Sampling::cubic : job.exact ? Sampling::exact : Sampling::central;
}

/// A block processes a tile of `depth` planes, from plane depth · blockIdx.z of its device on. The stress of
/// a plane is computed before the force of the one below it; its columns x and y are exchanged through shared
/// memory, column z stays in its thread.
template <Sampling How, ImageForce Images>
__global__ void __launch_bounds__(kTileThreads, kEvaluateBlocks)
    evaluateTile(const __grid_constant__ LevelJob job, const __grid_constant__ FieldView displacement,
                 const __grid_constant__ FieldView velocity, const __grid_constant__ FieldView force,
                 int depth, EnergySums* blocks, GridBarrier* meeting, LevelReport* report) {
  __shared__ __align__(16) float planes[TilePlanes::kPlanes * TilePlanes::kPlane];
  __shared__ float alongX[2][3][kTileY + 2][kTileX + 2], alongY[2][3][kTileY + 2][kTileX + 2];
  const TileCell own = ownCell(), halo = haloCell();
  const Vec3<int> n = job.size;
  const bool inside = own.isIn(n), haloInside = halo.isIn(n),
             moves = mayMove(n.x, own.x) && mayMove(n.y, own.y);
  const int place = TilePlanes::placeOf(own), haloPlace = TilePlanes::placeOf(halo);
  const int first = job.first + blockIdx.z * depth, last = min(first + depth, job.last);
  const auto putX = [&](const TileCell& cell, int z, const Mat3<float>& s) {
    const int b = z & 1, y = cell.row, x = cell.column;
    alongX[b][0][y][x] = s.xx, alongX[b][1][y][x] = s.yx, alongX[b][2][y][x] = s.zx;
  };
  const auto putY = [&](const TileCell& cell, int z, const Mat3<float>& s) {
    const int b = z & 1, y = cell.row, x = cell.column;
    alongY[b][0][y][x] = s.xy, alongY[b][1][y][x] = s.yy, alongY[b][2][y][x] = s.zy;
  };
  for (int z = 0; z < 2; ++z) {  // stress is 0 outside of the grid
    if (!inside) putX(own, z, {}), putY(own, z, {});
    if (threadIdx.x < 2 * (kTileX + kTileY) && !haloInside) putX(halo, z, {}), putY(halo, z, {});
  }
  TilePlanes u(job, displacement, planes);
  for (int z = first - 2; z <= first; ++z) u.start(z);
  EnergySums sum = kNoSums;
  Mat3<float> gradient{}, next{};
  Vec3<float> low{}, here{}, high{};  // column z of the stress
  int at = own.x + own.y * job.row + (first - 2) * job.plane,
      voxel = ((first - 2) * n.y + own.y) * n.x + own.x;
#pragma unroll 2
  for (int above = first - 1; above <= last; ++above, at += job.plane, voxel += n.x * n.y) {
    u.arrive();
    if (above < last) u.start(above + 2);
    const int z = above - 1;  // plane of the force
    const bool forced = inside && z >= first, owned = above >= first && above < last;
    Vec3<float> image{}, v{};  // the force of the images, and the velocity: declared here so that loads begin
                               // early
    if (forced) {
      v = {velocity.x[at], velocity.y[at], velocity.z[at]};
      if constexpr (Images == ImageForce::given) {
        image = {force.x[at], force.y[at], force.z[at]};
      } else {
        Texel<float> t = displacedTexel<int>(job.texels, n, Vec3<int>{own.x, own.y, z}, u.at(place, z),
                                             job.inverse, How == Sampling::exact);
        if constexpr (How == Sampling::cubic)
          t.v[0] = displacedValue<int>(job.spline, Vec3<int>{own.x, own.y, z}, u.at(place, z), job.inverse);
        float slope;
        if constexpr (Images == ImageForce::slope) {
          slope = job.slope[voxel];
        } else {
          slope = misfit(t.v[0], job.reference[voxel]);
          sum.similarity += 0.5 * double(slope) * double(slope);
        }
        image = {slope * t.v[1], slope * t.v[2], slope * t.v[3]};
      }
    }
    gradient = next, low = here, here = high;
    next = u.gradientAt(place, above);
    const float change = volumeChange(next);
    const Mat3<float> stress = regularizerStress(next, job.membrane);
    const bool exists = above >= 0 && above < n.z;
    high = exists ? Vec3<float>{stress.xz, stress.yz, stress.zz} : Vec3<float>{};
    if (inside && owned) {
      sum.bias += double(regularizerDensity(change, next, job.membrane));
      sum.smallest = fminf(sum.smallest, change);
      sum.refused += !keepsVolume(change);
      putX(own, above, stress), putY(own, above, stress);
    }
    if (haloInside && owned) {
      const Mat3<float> around = regularizerStress(u.gradientAt(haloPlace, above), job.membrane);
      if (threadIdx.x < 2 * kTileX)
        putY(halo, above, around);
      else
        putX(halo, above, around);
    }
    if (!forced) continue;
    Vec3<float> f{};
    if (moves && mayMove(n.z, z)) {
      const int b = z & 1, y = own.row, x = own.column;
      const auto with = [&](float f, int i, float below, float above) {
        return withBiasForce(f, job.lambda,
                             Vec3<float>{alongX[b][i][y][x + 1] - alongX[b][i][y][x - 1],
                                         alongY[b][i][y + 1][x] - alongY[b][i][y - 1][x], above - below},
                             job.half);
      };
      f = {with(image.x, 0, low.x, high.x), with(image.y, 1, low.y, high.y), with(image.z, 2, low.z, high.z)};
      if (job.descent) f = pulledBack(gradient, f);
      sum.uphill -= double(f.x) * double(v.x) + double(f.y) * double(v.y) + double(f.z) * double(v.z);
    }
    force.x[at] = f.x, force.y[at] = f.y, force.z[at] = f.z;
  }
  sumOfGrid(sum, blocks, meeting, &report->energy);
}

template <Sampling How>
__global__ void __launch_bounds__(kTileThreads)
    displaceTile(const __grid_constant__ LevelJob job, FieldView u, int first, float* warped) {
  const TileCell own = ownCell();
  const Vec3<int> n = job.size;
  if (!own.isIn(n)) return;
  const int z = first + blockIdx.z, at = own.x + own.y * job.row + z * job.plane,
            voxel = (z * n.y + own.y) * n.x + own.x;
  const float reference = job.reference[voxel];
  const Vec3<int> here{own.x, own.y, z};
  const Vec3<float> moved{u.x[at], u.y[at], u.z[at]};
  float value = 0;
  if (reference == reference) {
    if constexpr (How == Sampling::cubic)
      value = displacedValue<int>(job.spline, here, moved, job.inverse);
    else
      value = displacedValue<int>(job.moving, n, here, moved, job.inverse, How == Sampling::exact);
  }
  warped[voxel] = value;
}

__global__ void __launch_bounds__(kTileThreads)
    sumAll(const EnergySums* blocks, unsigned count, EnergySums* total) {
  __shared__ EnergySums warps[kWarps];
  const EnergySums sum = sumOfBlocks(blocks, count, warps);
  if (threadIdx.x == 0) *total = sum;
}

}  // namespace evaluate_kernels

std::int64_t blocksOfPlane(const Vec3<int>& size) {
  const dim3 tiles = tilesOf(size, 1);
  return std::int64_t(tiles.x) * tiles.y;
}

// With more planes, fewer stresses are computed twice.
int planesOfEvaluate(const Vec3<int>& size) { return planesOfBlock(size, 2, 32); }

void sumBlocks(const EnergySums* blocks, std::int64_t count, EnergySums* total, const Stream& stream) {
  sumAll<<<1, kTileThreads, 0, stream.get()>>>(blocks, unsigned(count), total);
  SULCUS_CUDA_LAUNCHED("sumAll");
}

std::int64_t blocksOfEvaluate(const Vec3<int>& size) {
  const dim3 tiles = tilesOf(size, planesOfEvaluate(size));
  return std::int64_t(tiles.x) * tiles.y * tiles.z;
}

void displaceTemplate(const LevelJob& job, FieldView u, int reach, float* warped, const Stream& stream) {
  const Sampling how = samplingOf(job);
  const auto kernel = how == Sampling::cubic   ? displaceTile<Sampling::cubic>
                      : how == Sampling::exact ? displaceTile<Sampling::exact>
                                               : displaceTile<Sampling::central>;
  const Planes planes = planesAround(job, reach);
  kernel<<<tilesOf(job, planes), kTileThreads, 0, stream.get()>>>(job, u, planes.first, warped);
  SULCUS_CUDA_LAUNCHED("displaceTile");
}

void evaluate(const LevelJob& job, ImageForce images, FieldView u, FieldView velocity, FieldView force,
              EnergySums* blocks, GridBarrier* meeting, LevelReport* report, const Stream& stream) {
  const int depth = planesOfEvaluate(job.size);
  const Sampling how = samplingOf(job);
  auto kernel = evaluateTile<Sampling::central, ImageForce::given>;
  if (images == ImageForce::slope)  // only the gradient
    kernel = how == Sampling::exact ? evaluateTile<Sampling::exact, ImageForce::slope>
                                    : evaluateTile<Sampling::central, ImageForce::slope>;
  else if (images == ImageForce::differences)
    kernel = how == Sampling::cubic   ? evaluateTile<Sampling::cubic, ImageForce::differences>
             : how == Sampling::exact ? evaluateTile<Sampling::exact, ImageForce::differences>
                                      : evaluateTile<Sampling::central, ImageForce::differences>;
  kernel<<<tilesOf(job, depth), kTileThreads, 0, stream.get()>>>(job, u, velocity, force, depth, blocks,
                                                                 meeting, report);
  SULCUS_CUDA_LAUNCHED("evaluateTile");
}

const void* kernelOfEvaluate() {
  return reinterpret_cast<const void*>(evaluateTile<Sampling::central, ImageForce::differences>);
}

}  // namespace sulcus::gpu::registration
