#include "core/registration/similarity/local_correlation_kernel.h"
#include "gpu/registration/deformation/energy_sums.cuh"
#include "gpu/registration/similarity/local_correlation.h"
#include "gpu/runtime/memory_access.cuh"

#include <type_traits>

namespace sulcus::gpu::registration {
inline namespace local_correlation_kernels {

/// The sum of numbers, from the first to the last.
template <int Count>
__device__ float sumInOrder(const float (&numbers)[Count]) {
  float sum = numbers[0];
#pragma unroll
  for (int k = 1; k < Count; ++k) sum += numbers[k];
  return sum;
}

/// Sums windows along x in shared memory, four at a time: from rows of a tile with r more voxels on each
/// side, which start at multiples of four, into rows of the tile.
template <int Radius>
__device__ void sumAlongX(const float* input, int rows, float* sums) {
  constexpr int taps = 2 * Radius + 1, pitch = roundedUp(kTileX + 2 * Radius, 4), quads = kTileX / 4,
                inputQuads = ceilDivide(3 + taps, 4);
  for (int c = threadIdx.x; c < rows * quads; c += kTileThreads) {
    const float* const at = input + c / quads * pitch + 4 * (c % quads);
    float a[4 * inputQuads], out[4];
    loadFours(at, a);
#pragma unroll
    for (int o = 0; o < 4; ++o) {
      out[o] = a[o];
#pragma unroll
      for (int k = 1; k < taps; ++k) out[o] += a[o + k];
    }
    storeFour(sums + 4 * c, {out[0], out[1], out[2], out[3]});
  }
}

/// The voxels of a plane that a thread loads for the windows of a tile.
template <int Radius>
class WindowLoads {
  static constexpr int kWidth = kTileX + 2 * Radius;

 public:
  static constexpr int kHeight = kTileY + 2 * Radius, kPitch = roundedUp(kWidth, 4);
  using Plane = float[kHeight * kPitch];

  __device__ WindowLoads(const Vec3<int>& n, int end) : plane_(n.y * n.x), end_(end) {
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      const int c = threadIdx.x + i * kTileThreads, column = c % kWidth, row = c / kWidth;
      const int x = int(blockIdx.x) * kTileX - Radius + column, y = int(blockIdx.y) * kTileY - Radius + row;
      to_[i] = row < kHeight ? row * kPitch + column : -1;
      from_[i] = to_[i] >= 0 && x >= 0 && x < n.x && y >= 0 && y < n.y ? y * n.x + x : -1;
    }
  }

  /// Begins to load the quantities of a plane; 0 outside.
  template <class Quantities>
  __device__ __forceinline__ void fetch(int z, const Quantities& quantities) {
#pragma unroll
    for (int i = 0; i < kMost; ++i)
      next_[i] = from_[i] >= 0 && z >= 0 && z < end_ ? quantities(z * plane_ + from_[i]) : Vec3<float>{};
  }
  /// Stores what was fetched.
  __device__ __forceinline__ void store(Plane (&input)[3]) const {
#pragma unroll
    for (int i = 0; i < kMost; ++i) {
      if (to_[i] < 0) continue;
      input[0][to_[i]] = next_[i].x;
      input[1][to_[i]] = next_[i].y;
      input[2][to_[i]] = next_[i].z;
    }
  }

 private:
  static constexpr int kMost = ceilDivide(kWidth * kHeight, kTileThreads);
  int plane_, end_;
  int from_[kMost], to_[kMost];  ///< indices in a plane and in `input`; −1: nothing
  Vec3<float> next_[kMost];
};

/// Calls use(voxel, known, sums) with the result of known(voxel) and the sums, over the windows of the voxels
/// of a tile, of the three quantities given by quantities(voxel). A block marches through `depth` planes,
/// from plane depth · blockIdx.z of its device on; those r before and after them are summed by its neighbors,
/// too. While a plane is summed, its known values and the quantities of the next one are being loaded.
template <int Radius, class Quantities, class Known, class Use>
__device__ void forEachWindowSum(const LevelJob& job, int depth, const Quantities& quantities,
                                 const Known& known, const Use& use) {
  const Vec3<int>& n = job.size;
  constexpr int taps = 2 * Radius + 1, height = WindowLoads<Radius>::kHeight;
  __shared__ __align__(16) float input[3][height * WindowLoads<Radius>::kPitch], alongX[3][height * kTileX];
  const int x = blockIdx.x * kTileX + threadIdx.x % kTileX, y = blockIdx.y * kTileY + threadIdx.x / kTileX;
  const int first = job.first + blockIdx.z * depth, last = min(first + depth, job.last);
  WindowLoads<Radius> loads(n, min(last + Radius, n.z));
  float planes[3][taps] = {};  // sums along x and y around this thread's voxel, for the last planes
  loads.fetch(first - Radius, quantities);
  for (int z = first - Radius; z < last + Radius; ++z) {
    loads.store(input);
    __syncthreads();
    loads.fetch(z + 1, quantities);
    const int done = z - Radius, voxel = (done * n.y + y) * n.x + x;
    const bool used = done >= first && x < n.x && y < n.y;
    decltype(known(voxel)) knownThere{};
    if (used) knownThere = known(voxel);
    sumAlongX<Radius>(input[0], 3 * height, alongX[0]);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 3; ++i) {
#pragma unroll
      for (int k = 0; k + 1 < taps; ++k) planes[i][k] = planes[i][k + 1];
      float column[taps];
#pragma unroll
      for (int k = 0; k < taps; ++k) column[k] = alongX[i][threadIdx.x + k * kTileX];
      planes[i][taps - 1] = sumInOrder(column);
    }
    if (used)
      use(voxel, knownThere,
          Vec3<float>{sumInOrder(planes[0]), sumInOrder(planes[1]), sumInOrder(planes[2])});
  }
}

/// The window statistics of the reference at a voxel.
__device__ ReferenceWindow<float> windowOf(const WindowArrays& windows, int voxel) {
  return {windows.inverseCount[voxel], windows.mean[voxel], windows.inverseVariance[voxel]};
}

/// Blocks at once on a multiprocessor: as many as have enough registers.
template <int Radius>
constexpr int kWindowBlocks = Radius <= 2 ? 5 : 4;

/// F, and 0 where the images are not compared.
__device__ float comparedValue(const LevelJob& job, int voxel) {
  const float f = job.reference[voxel];
  return f == f ? f : 0;
}

template <int Radius>
__global__ void __launch_bounds__(kTileThreads, kWindowBlocks<Radius>)
    referenceWindowsOfTile(const __grid_constant__ LevelJob job, WindowArrays windows, int depth) {
  forEachWindowSum<Radius>(
      job, depth,
      [&](int voxel) {
        const float reference = job.reference[voxel], f = comparedValue(job, voxel);
        return Vec3<float>{reference == reference ? 1.f : 0.f, f, f * f};
      },
      [](int) { return 0; },
      [&](int voxel, int, Vec3<float> sums) {
        const ReferenceWindow<float> w = referenceWindow(sums.x, sums.y, sums.z);
        windows.inverseCount[voxel] = w.inverseCount;
        windows.mean[voxel] = w.mean;
        windows.inverseVariance[voxel] = w.inverseVariance;
      });
}

template <int Radius>
__global__ void __launch_bounds__(kTileThreads, kWindowBlocks<Radius>)
    windowTermsOfTile(const __grid_constant__ LevelJob job, const float* __restrict__ warped,
                      WindowArrays windows, int depth, const GridSums target) {
  EnergySums sum = kNoSums;
  forEachWindowSum<Radius>(
      job, depth,
      [&](int voxel) {
        const float w = warped[voxel];
        return Vec3<float>{w, w * w, comparedValue(job, voxel) * w};
      },
      [&](int voxel) { return windowOf(windows, voxel); },
      [&](int voxel, ReferenceWindow<float> window, Vec3<float> sums) {
        WindowTerms<float> t = windowTerms(window, sums.x, sums.y, sums.z);
        if (job.weights) t = weighted(t, job.weights[voxel]);
        windows.p[voxel] = t.p;
        windows.q[voxel] = t.q;
        windows.r[voxel] = t.r;
        sum.similarity += double(t.energy);
      });
  sumOfGrid(sum, target);
}

template <int Radius>
__global__ void __launch_bounds__(kTileThreads, kWindowBlocks<Radius>)
    correlationSlopeOfTile(const __grid_constant__ LevelJob job, WindowArrays windows, float* warped,
                           int depth) {
  struct Values {
    float f, w;
  };
  forEachWindowSum<Radius>(
      job, depth,
      [&](int voxel) {
        return Vec3<float>{windows.p[voxel], windows.q[voxel], windows.r[voxel]};
      },
      [&](int voxel) {
        return Values{job.reference[voxel], warped[voxel]};
      },
      [&](int voxel, Values values, Vec3<float> sums) {
        const float slope = correlationSlope(values.f, values.w, sums.x, sums.y, sums.z);
        warped[voxel] = values.f == values.f ? slope : 0;
      });
}

template <int Radius>
__global__ void __launch_bounds__(kTileThreads, kWindowBlocks<Radius>)
    correlationOfTile(const __grid_constant__ LevelJob job, const float* __restrict__ warped,
                      WindowArrays windows, int depth, float* result) {
  forEachWindowSum<Radius>(
      job, depth,
      [&](int voxel) {
        const float f = job.reference[voxel], w = f == f ? warped[voxel] : 0;
        return Vec3<float>{w, w * w, comparedValue(job, voxel) * w};
      },
      [&](int voxel) { return windowOf(windows, voxel); },
      [&](int voxel, ReferenceWindow<float> window, Vec3<float> sums) {
        result[voxel] = correlationOf(window, sums.x, sums.y, sums.z);
      });
}

/// Calls launch() with the radius as a constant.
template <class Launch>
void withRadius(int radius, const Launch& launch) {
  switch (radius) {
    case 1:
      return launch(std::integral_constant<int, 1>());
    case 2:
      return launch(std::integral_constant<int, 2>());
    case 3:
      return launch(std::integral_constant<int, 3>());
    default:
      return launch(std::integral_constant<int, kLargestWindowRadius>());
  }
}

}  // namespace local_correlation_kernels

// With more planes, fewer are summed twice.
int planesOfWindows(const Vec3<int>& size) { return planesOfBlock(size, 4, 32); }

std::int64_t blocksOfWindows(const Vec3<int>& size) {
  const dim3 tiles = tilesOf(size, planesOfWindows(size));
  return std::int64_t(tiles.x) * tiles.y * tiles.z;
}

void queueReferenceWindows(const LevelJob& job, int radius, const WindowArrays& windows,
                           const Stream& stream) {
  const int depth = planesOfWindows(job.size);
  withRadius(radius, [&](auto r) {
    referenceWindowsOfTile<r()><<<tilesOf(job, depth), kTileThreads, 0, stream.get()>>>(job, windows, depth);
  });
  SULCUS_CUDA_LAUNCHED("referenceWindowsOfTile");
}

void queueWindowTerms(const LevelJob& job, int radius, const float* warped, const WindowArrays& windows,
                      const GridSums& sums, const Stream& stream) {
  const int depth = planesOfWindows(job.size);
  withRadius(radius, [&](auto r) {
    windowTermsOfTile<r()>
        <<<tilesOf(job, depth), kTileThreads, 0, stream.get()>>>(job, warped, windows, depth, sums);
  });
  SULCUS_CUDA_LAUNCHED("windowTermsOfTile");
}

void queueCorrelation(const LevelJob& job, int radius, const float* warped, const WindowArrays& windows,
                      float* result, const Stream& stream) {
  const int depth = planesOfWindows(job.size);
  withRadius(radius, [&](auto r) {
    correlationOfTile<r()>
        <<<tilesOf(job, depth), kTileThreads, 0, stream.get()>>>(job, warped, windows, depth, result);
  });
  SULCUS_CUDA_LAUNCHED("correlationOfTile");
}

void queueCorrelationSlope(const LevelJob& job, int radius, const WindowArrays& windows, float* warped,
                           const Stream& stream) {
  const int depth = planesOfWindows(job.size);
  withRadius(radius, [&](auto r) {
    correlationSlopeOfTile<r()>
        <<<tilesOf(job, depth), kTileThreads, 0, stream.get()>>>(job, windows, warped, depth);
  });
  SULCUS_CUDA_LAUNCHED("correlationSlopeOfTile");
}

}  // namespace sulcus::gpu::registration
