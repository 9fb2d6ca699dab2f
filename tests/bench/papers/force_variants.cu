#include "gpu/registration/deformation/level_tile.cuh"
#include "gpu/registration/level_job.h"
#include "gpu/runtime/buffer.h"
#include "tests/bench/papers/device_facts.h"
#include "tests/bench/papers/device_seconds.h"
#include "tests/bench/papers/force_kernel.h"
#include "tests/bench/papers/force_variants.h"

#include <algorithm>

namespace sulcus::bench {
namespace {

using namespace sulcus::registration;

// A block of 32 × 16 threads processes 28 × 12 voxels with a margin of two on each side, plane by plane.
constexpr int kPadX = 32, kPadY = 16, kThreads = kPadX * kPadY, kTileX = kPadX - 4, kTileY = kPadY - 4;

struct ForceArguments {
  Vec3<int> size;
  int row, plane;  ///< strides of fields
  Vec3<float> half;
  float lambda;
  const float *ux, *uy, *uz;  ///< to voxel (0, 0, 0)
  const float *warped, *reference;
  float *fx, *fy, *fz;
};

/// The voxel of a thread.
struct TilePlace {
  int tx = threadIdx.x, ty = threadIdx.y, x, y, here;

  __device__ explicit TilePlace()
      : x(int(blockIdx.x) * kTileX + tx - 2), y(int(blockIdx.y) * kTileY + ty - 2), here(ty * kPadX + tx) {}
  /// Whether it is at least this many voxels inside the block.
  __device__ bool within(int border) const {
    return tx >= border && tx < kPadX - border && ty >= border && ty < kPadY - border;
  }
};

__device__ Vec3<float> displacementAt(const ForceArguments& a, const TilePlace& p, int z) {
  if (p.x < 0 || p.y < 0 || z < 0 || p.x >= a.size.x || p.y >= a.size.y || z >= a.size.z) return {0, 0, 0};
  const int at = p.x + a.row * p.y + a.plane * z;
  return {a.ux[at], a.uy[at], a.uz[at]};
}

__device__ bool moves(const ForceArguments& a, const TilePlace& p, int z) {
  return p.within(2) && p.x >= 1 && p.y >= 1 && z >= 1 && p.x <= a.size.x - 2 && p.y <= a.size.y - 2 &&
         z <= a.size.z - 2;
}

/// @param d  differences of the stress: row i for component i, along x, y, z
__device__ void storeForce(const ForceArguments& a, const TilePlace& p, int z, const Mat3<float>& d) {
  const Vec3<float> f = imageForce(a.warped, a.reference, a.size, p.x, p.y, z, a.half);
  const int at = p.x + a.row * p.y + a.plane * z;
  a.fx[at] = withBiasForce(f.x, a.lambda, Vec3<float>{d.xx, d.xy, d.xz}, a.half);
  a.fy[at] = withBiasForce(f.y, a.lambda, Vec3<float>{d.yx, d.yy, d.yz}, a.half);
  a.fz[at] = withBiasForce(f.z, a.lambda, Vec3<float>{d.zx, d.zy, d.zz}, a.half);
}

/// Five planes of u in shared memory; every thread computes everything else itself.
__device__ void recomputeForce(const ForceArguments& a) {
  extern __shared__ float shared[];
  constexpr int planes = 5, component = planes * kThreads;
  const TilePlace p;
  float* const own = shared + p.here;
  const auto put = [&](int slot, const Vec3<float>& u) {
    own[slot * kThreads] = u.x, own[component + slot * kThreads] = u.y,
               own[2 * component + slot * kThreads] = u.z;
  };
  for (int slot = 1; slot < planes; ++slot) put(slot, displacementAt(a, p, slot - 3));
  const float* const middle = own + 2 * kThreads;
  for (int z = 0; z < a.size.z; ++z) {
    __syncthreads();
    for (int i = 0; i < 3; ++i)
      for (int slot = 0; slot + 1 < planes; ++slot)
        own[i * component + slot * kThreads] = own[i * component + (slot + 1) * kThreads];
    put(planes - 1, displacementAt(a, p, z + 2));
    __syncthreads();
    if (!moves(a, p, z)) continue;
    const auto stress = [&](int offset) {
      const float* const u = middle + offset;
      return biasStress(centralGradient(u, u + component, u + 2 * component, kPadX, kThreads, a.half));
    };
    Mat3<float> d;
    {
      const Mat3<float> high = stress(1), low = stress(-1);
      d.xx = high.xx - low.xx, d.yx = high.yx - low.yx, d.zx = high.zx - low.zx;
    }
    {
      const Mat3<float> high = stress(kPadX), low = stress(-kPadX);
      d.xy = high.xy - low.xy, d.yy = high.yy - low.yy, d.zy = high.zy - low.zy;
    }
    {
      const Mat3<float> high = stress(kThreads), low = stress(-kThreads);
      d.xz = high.xz - low.xz, d.yz = high.yz - low.yz, d.zz = high.zz - low.zz;
    }
    storeForce(a, p, z, d);
  }
}

/// With two blocks, 64 registers remain for a thread, three fewer than the compiler would use; so two blocks
/// are possible.
__global__ void __launch_bounds__(kThreads, 2) recomputeKernel(ForceArguments a) { recomputeForce(a); }

/// With four blocks of 512 threads, 32 registers remain for a thread.
__global__ void __launch_bounds__(kThreads, 4) recomputeLocalKernel(ForceArguments a) { recomputeForce(a); }

/// Three planes of u, two of the stresses along x and y and three of those along z in shared memory.
__global__ void __launch_bounds__(kThreads) reuseKernel(ForceArguments a) {
  extern __shared__ float shared[];
  const TilePlace p;
  float* const u = shared + p.here;             // [component][plane z … z + 2]
  float* const across = u + 9 * kThreads;       // [xx, yx, zx, xy, yy, zy][plane z, z + 1]
  float* const depth = across + 12 * kThreads;  // [xz, yz, zz][plane z − 1 … z + 1]
  for (int i = 0; i < 30; ++i) u[i * kThreads] = 0;
  const auto put = [&](const Vec3<float>& v) {
    u[2 * kThreads] = v.x, u[5 * kThreads] = v.y, u[8 * kThreads] = v.z;
  };
  put(displacementAt(a, p, 0));
  for (int z = -1; z <= a.size.z - 2; ++z) {
    __syncthreads();
    for (int i = 0; i < 3; ++i)
      for (int slot = 0; slot < 2; ++slot) {
        u[(3 * i + slot) * kThreads] = u[(3 * i + slot + 1) * kThreads];
        depth[(3 * i + slot) * kThreads] = depth[(3 * i + slot + 1) * kThreads];
      }
    for (int i = 0; i < 6; ++i) across[2 * i * kThreads] = across[(2 * i + 1) * kThreads];
    put(displacementAt(a, p, z + 2));
    __syncthreads();
    if (p.within(1)) {
      const float* const middle = u + kThreads;
      const Mat3<float> s = biasStress(
          centralGradient(middle, middle + 3 * kThreads, middle + 6 * kThreads, kPadX, kThreads, a.half));
      const float values[6] = {s.xx, s.yx, s.zx, s.xy, s.yy, s.zy};
      for (int i = 0; i < 6; ++i) across[(2 * i + 1) * kThreads] = values[i];
      depth[2 * kThreads] = s.xz, depth[5 * kThreads] = s.yz, depth[8 * kThreads] = s.zz;
    }
    __syncthreads();
    if (!moves(a, p, z)) continue;
    const auto along = [&](int i, int step) {
      const float* const s = across + 2 * i * kThreads;
      return s[step] - s[-step];
    };
    const auto inDepth = [&](int i) { return depth[(3 * i + 2) * kThreads] - depth[3 * i * kThreads]; };
    storeForce(a, p, z,
               {along(0, 1), along(3, kPadX), inDepth(0), along(1, 1), along(4, kPadX), inDepth(1),
                along(2, 1), along(5, kPadX), inDepth(2)});
  }
}

struct ForceKernel {
  void (*kernel)(ForceArguments);
  int sharedFloats;  ///< of a thread
};

ForceKernel kernelOf(ForceVariant variant) {
  switch (variant) {
    case ForceVariant::recompute:
      return {recomputeKernel, 15};
    case ForceVariant::recomputeLocal:
      return {recomputeLocalKernel, 15};
    default:
      return {reuseKernel, 30};
  }
}

/// What the compiler made of a kernel.
///
/// @param dynamicBytes  of shared memory, which a launch adds to what the kernel declares
ForceRun compiled(const void* kernel, int threads, std::int64_t dynamicBytes) {
  cudaFuncAttributes attributes{};
  SULCUS_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  ForceRun run;
  run.threads = threads, run.registers = attributes.numRegs;
  run.localBytes = std::int64_t(attributes.localSizeBytes);
  run.sharedBytes = std::int64_t(attributes.sharedSizeBytes) + dynamicBytes;
  return run;
}

/// The three arrays of a field on the device, one after another.
gpu::Buffer<float> uploadedField(const VectorField<float>& field, const gpu::Stream& stream) {
  std::vector<float> all;
  for (const auto& component : field.values) all.insert(all.end(), component.begin(), component.end());
  auto buffer = gpu::uploaded(std::span<const float>(all), stream);
  stream.synchronize();
  return buffer;
}

/// Pointers to voxel (0, 0, 0) of each component.
gpu::registration::FieldView viewOf(gpu::Buffer<float>& buffer, const VectorField<float>& layout) {
  const std::int64_t component = buffer.size() / 3;
  float* const first = buffer.data() + layout.index(0, 0, 0);
  return {first, first + component, first + 2 * component};
}

}  // namespace

ForceRun forceOnGpu(ForceVariant variant, int blocks, const ForceWork& work) {
  gpu::requireDevice();
  const ForceKernel chosen = kernelOf(variant);
  ForceRun run = compiled(reinterpret_cast<const void*>(chosen.kernel), kThreads,
                          std::int64_t(chosen.sharedFloats) * kThreads * std::int64_t(sizeof(float)));
  run.tileX = kTileX, run.tileY = kTileY;
  // A block that requests its share of the shared memory, minus a KiB for the system, leaves no room for more
  // blocks.
  const std::int64_t share = (deviceFacts().sharedBytes / blocks - 1024) / 1024 * 1024;
  const std::int64_t asked = std::min<std::int64_t>(share, gpu::sharedBytesPerBlock());
  if (asked < run.sharedBytes) return run;
  SULCUS_CUDA(cudaFuncSetAttribute(reinterpret_cast<const void*>(chosen.kernel),
                                   cudaFuncAttributeMaxDynamicSharedMemorySize, int(asked)));
  int fits = 0;
  SULCUS_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, chosen.kernel, kThreads, std::size_t(asked)));
  if (fits != blocks) return run;
  run.blocks = fits;

  const gpu::Stream stream;
  auto u = uploadedField(work.u, stream);
  gpu::Buffer<float> force(u.size(), stream);
  force.fillBytes(0, stream);
  const auto warped = gpu::uploaded(std::span<const float>(work.warped), stream),
             reference = gpu::uploaded(std::span<const float>(work.reference), stream);
  const auto from = viewOf(u, work.u), to = viewOf(force, work.u);
  const ForceArguments arguments{
      work.size, int(work.u.row), int(work.u.plane), {0.5f, 0.5f, 0.5f}, work.lambda, from.x,
      from.y,    from.z,          warped.data(),     reference.data(),   to.x,        to.y,
      to.z};
  const dim3 grid((work.size.x + kTileX - 1) / kTileX, (work.size.y + kTileY - 1) / kTileY);
  run.seconds = medianDeviceSeconds(stream, [&] {
    chosen.kernel<<<grid, dim3(kPadX, kPadY), std::size_t(asked), stream.get()>>>(arguments);
    SULCUS_CUDA_LAUNCHED("force variant");
  });
  run.force = VectorField<float>(work.size);
  std::vector<float> all(std::size_t(force.size()));
  force.download(all, stream);
  stream.synchronize();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto begin = all.begin() + std::ptrdiff_t(i * all.size() / 3);
    run.force.values[i].assign(begin, begin + std::ptrdiff_t(all.size() / 3));
  }
  return run;
}

ForceRun engineForceOnGpu(const ForceWork& work) {
  using namespace gpu::registration;
  gpu::requireDevice();
  namespace engine = gpu::registration;
  ForceRun run = compiled(kernelOfEvaluate(), engine::kTileThreads, 0);
  run.tileX = engine::kTileX, run.tileY = engine::kTileY;
  SULCUS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&run.blocks, kernelOfEvaluate(),
                                                            engine::kTileThreads, 0));
  const gpu::Stream stream;
  auto u = uploadedField(work.u, stream);
  gpu::Buffer<float> velocity(u.size(), stream), force(u.size(), stream);
  velocity.fillBytes(0, stream), force.fillBytes(0, stream);
  const auto moving = gpu::uploaded(std::span<const float>(work.warped), stream),
             reference = gpu::uploaded(std::span<const float>(work.reference), stream);
  gpu::Buffer<Texel<float>> texels(moving.size(), stream);
  gpu::Buffer<EnergySums> blocks(blocksOfEvaluate(work.size), stream);
  gpu::Buffer<GridBarrier> meeting(1, stream);
  meeting.fillBytes(0, stream);
  gpu::PinnedBuffer<LevelReport> report(1);
  LevelJob job{};
  job.size = work.size, job.row = int(work.u.row), job.plane = int(work.u.plane);
  job.first = 0, job.last = work.size.z;
  job.inverse = {1, 1, 1}, job.half = {0.5f, 0.5f, 0.5f}, job.lambda = work.lambda;
  job.texels = texels.data(), job.reference = reference.data();
  makeTexels(job, moving.data(), texels.data(), stream);
  run.seconds = medianDeviceSeconds(stream, [&] {
    evaluate(job, ImageForce::differences,
             {viewOf(u, work.u), viewOf(velocity, work.u), viewOf(force, work.u)},
             {blocks.data(), meeting.data(), &report.data()->energy}, stream);
  });
  return run;
}

}  // namespace sulcus::bench
