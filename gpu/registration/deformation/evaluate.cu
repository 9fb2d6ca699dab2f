#include "gpu/registration/deformation/energy_sums.cuh"
#include "gpu/registration/deformation/tile_planes.cuh"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
inline namespace evaluate_kernels {

/// Blocks at once on a multiprocessor; with more, too few registers are left for their loads.
constexpr int kEvaluateBlocks = 3;

/// Interpolation of the template: trilinear with TemplateGradient, or by a cubic B-spline, with the central
/// gradient.
enum class Sampling { central, exact, cubic };

Sampling samplingOf(const LevelJob& job) {
  if (job.spline.coefficients) return Sampling::cubic;
  return job.exact ? Sampling::exact : Sampling::central;
}

/// The stress of a plane and of the one before, in shared memory, for differences along x and y.
struct StressPlanes {
  float alongX[2][3][kTileY + 2][kTileX + 2], alongY[2][3][kTileY + 2][kTileX + 2];

  /// Stores column x of the stress at a cell.
  __device__ __forceinline__ void putX(const TileCell& cell, int z, const Mat3<float>& s) {
    const int b = z & 1, y = cell.row, x = cell.column;
    alongX[b][0][y][x] = s.xx;
    alongX[b][1][y][x] = s.yx;
    alongX[b][2][y][x] = s.zx;
  }
  /// Stores column y.
  __device__ __forceinline__ void putY(const TileCell& cell, int z, const Mat3<float>& s) {
    const int b = z & 1, y = cell.row, x = cell.column;
    alongY[b][0][y][x] = s.xy;
    alongY[b][1][y][x] = s.yy;
    alongY[b][2][y][x] = s.zy;
  }
  /// Stores the column of the stress at a cell of the halo that the tile reads.
  __device__ __forceinline__ void putHalo(const TileCell& cell, int z, const Mat3<float>& s) {
    if (threadIdx.x < 2 * kTileX)
      putY(cell, z, s);
    else
      putX(cell, z, s);
  }
  /// Stress is 0 outside of the grid.
  __device__ void clearOutside(const Vec3<int>& size, const TileCell& own, const TileCell& halo) {
    const bool hasHalo = threadIdx.x < 2 * (kTileX + kTileY);
    for (int z = 0; z < 2; ++z) {
      if (!own.isIn(size)) put(own, z, {});
      if (hasHalo && !halo.isIn(size)) put(halo, z, {});
    }
  }
  __device__ __forceinline__ void put(const TileCell& cell, int z, const Mat3<float>& s) {
    putX(cell, z, s);
    putY(cell, z, s);
  }
  /// withBiasForce() for all components, then pulledBack() if the force descends.
  ///
  /// @param alongZ    the difference of column z of the stress
  /// @param gradient  of u
  __device__ __forceinline__ Vec3<float> withForce(const LevelJob& job, const TileCell& cell, int z,
                                                   const Vec3<float>& f, const Vec3<float>& alongZ,
                                                   const Mat3<float>& gradient) const {
    const int b = z & 1, y = cell.row, x = cell.column;
    const auto with = [&](int i, float component, float depth) {
      return withBiasForce(component, job.lambda,
                           Vec3<float>{alongX[b][i][y][x + 1] - alongX[b][i][y][x - 1],
                                       alongY[b][i][y + 1][x] - alongY[b][i][y - 1][x], depth},
                           job.half);
    };
    const Vec3<float> sum{with(0, f.x, alongZ.x), with(1, f.y, alongZ.y), with(2, f.z, alongZ.z)};
    return job.descent ? pulledBack(gradient, sum) : sum;
  }
};

/// Column z of the stress of a plane; 0 outside of the grid.
__device__ __forceinline__ Vec3<float> columnZ(const Mat3<float>& stress, int z, int planes) {
  const bool exists = z >= 0 && z < planes;
  return exists ? Vec3<float>{stress.xz, stress.yz, stress.zz} : Vec3<float>{};
}

/// A voxel: its indices in the grid, and those of its values in a field and in an image.
struct VoxelPlace {
  Vec3<int> at;
  int inField, inImage;
};

/// The force of the images at a voxel whose displacement is u.
///
/// @param given       holds it if it is given
/// @param similarity  receives the energy of squared differences
template <Sampling How, ImageForce Images>
__device__ __forceinline__ Vec3<float> imageForceAt(const LevelJob& job, const FieldView& given,
                                                    const VoxelPlace& voxel, const Vec3<float>& u,
                                                    double& similarity) {
  if constexpr (Images == ImageForce::given) {
    return {given.x[voxel.inField], given.y[voxel.inField], given.z[voxel.inField]};
  } else {
    Texel<float> t =
        displacedTexel<int>(job.texels, job.size, voxel.at, u, job.inverse, How == Sampling::exact);
    if constexpr (How == Sampling::cubic) t.v[0] = displacedValue<int>(job.spline, voxel.at, u, job.inverse);
    float slope;
    if constexpr (Images == ImageForce::slope) {
      slope = job.slope[voxel.inImage];
    } else {
      slope = misfit(t.v[0], job.reference[voxel.inImage]);
      similarity += 0.5 * double(slope) * double(slope);
    }
    return {slope * t.v[1], slope * t.v[2], slope * t.v[3]};
  }
}

/// A block processes a tile of `depth` planes, from plane depth · blockIdx.z of its device on. The stress of
/// a plane is computed before the force of the one below it; its columns x and y are exchanged through shared
/// memory, column z stays in its thread.
template <Sampling How, ImageForce Images>
__global__ void __launch_bounds__(kTileThreads, kEvaluateBlocks)
    evaluateTile(const __grid_constant__ LevelJob job, const __grid_constant__ MovingFields fields, int depth,
                 const GridSums sums) {
  __shared__ __align__(16) float planes[TilePlanes::kPlanes * TilePlanes::kPlane];
  __shared__ StressPlanes stresses;
  const auto& [displacement, velocity, force] = fields;
  const TileCell own = ownCell(), halo = haloCell();
  const Vec3<int> n = job.size;
  const bool inside = own.isIn(n), haloInside = halo.isIn(n),
             moves = mayMove(n.x, own.x) && mayMove(n.y, own.y);
  const int place = TilePlanes::placeOf(own), haloPlace = TilePlanes::placeOf(halo);
  const int first = job.first + blockIdx.z * depth, last = min(first + depth, job.last);
  stresses.clearOutside(n, own, halo);
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
      image = imageForceAt<How, Images>(job, force, {{own.x, own.y, z}, at, voxel}, u.at(place, z),
                                        sum.similarity);
    }
    gradient = next;
    low = here;
    here = high;
    next = u.gradientAt(place, above);
    const float change = volumeChange(next);
    const Mat3<float> stress = regularizerStress(next, job.membrane);
    high = columnZ(stress, above, n.z);
    if (inside && owned) {
      sum.bias += double(regularizerDensity(change, next, job.membrane));
      sum.smallest = fminf(sum.smallest, change);
      sum.refused += !keepsVolume(change);
      stresses.put(own, above, stress);
    }
    if (haloInside && owned)
      stresses.putHalo(halo, above, regularizerStress(u.gradientAt(haloPlace, above), job.membrane));
    if (!forced) continue;
    Vec3<float> f{};
    if (moves && mayMove(n.z, z)) {
      f = stresses.withForce(job, own, z, image, high - low, gradient);
      sum.uphill -= double(f.x) * double(v.x) + double(f.y) * double(v.y) + double(f.z) * double(v.z);
    }
    store(force, at, f);
  }
  sumOfGrid(sum, sums);
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
  auto kernel = displaceTile<Sampling::central>;
  if (how == Sampling::exact) kernel = displaceTile<Sampling::exact>;
  if (how == Sampling::cubic) kernel = displaceTile<Sampling::cubic>;
  const Planes planes = planesAround(job, reach);
  kernel<<<tilesOf(job, planes), kTileThreads, 0, stream.get()>>>(job, u, planes.first, warped);
  SULCUS_CUDA_LAUNCHED("displaceTile");
}

void evaluate(const LevelJob& job, ImageForce images, const MovingFields& fields, const GridSums& sums,
              const Stream& stream) {
  const int depth = planesOfEvaluate(job.size);
  const Sampling how = samplingOf(job);
  auto kernel = evaluateTile<Sampling::central, ImageForce::given>;
  if (images == ImageForce::slope) {  // only the gradient
    kernel = evaluateTile<Sampling::central, ImageForce::slope>;
    if (how == Sampling::exact) kernel = evaluateTile<Sampling::exact, ImageForce::slope>;
  } else if (images == ImageForce::differences) {
    kernel = evaluateTile<Sampling::central, ImageForce::differences>;
    if (how == Sampling::exact) kernel = evaluateTile<Sampling::exact, ImageForce::differences>;
    if (how == Sampling::cubic) kernel = evaluateTile<Sampling::cubic, ImageForce::differences>;
  }
  kernel<<<tilesOf(job, depth), kTileThreads, 0, stream.get()>>>(job, fields, depth, sums);
  SULCUS_CUDA_LAUNCHED("evaluateTile");
}

const void* kernelOfEvaluate() {
  return reinterpret_cast<const void*>(evaluateTile<Sampling::central, ImageForce::differences>);
}

}  // namespace sulcus::gpu::registration
