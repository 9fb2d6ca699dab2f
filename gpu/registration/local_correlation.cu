#include "core/registration/local_correlation_body.h"
#include "gpu/registration/energy_sums.cuh"
#include "gpu/registration/local_correlation.h"

#include <type_traits>

namespace sulcus::gpu::registration {
namespace {

/// Calls use(voxel, sums) with the sums over the windows of the voxels of a tile, of the three quantities
/// that quantities(voxel) gives. A block marches through `depth` planes, from plane depth · blockIdx.z of its
/// device on; those r before and after them are summed by its neighbours, too.
template <int Radius, class Quantities, class Use>
__device__ void forEachWindowSum(const LevelJob& job, int depth, const Quantities& quantities,
                                 const Use& use) {
  const Vec3<int>& n = job.size;
  constexpr int taps = 2 * Radius + 1, width = kTileX + 2 * Radius, height = kTileY + 2 * Radius;
  __shared__ float input[3][height][width], alongX[3][height][kTileX];
  const int column = threadIdx.x % kTileX, row = threadIdx.x / kTileX;
  const int x = blockIdx.x * kTileX + column, y = blockIdx.y * kTileY + row;
  const int first = job.first + blockIdx.z * depth, last = min(first + depth, job.last);
  float planes[3][taps] = {};  // sums along x and y around this thread's voxel, of the last planes
  for (int z = first - Radius; z < last + Radius; ++z) {
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int k = 0; k + 1 < taps; ++k) planes[i][k] = planes[i][k + 1];
    if (z < 0 || z >= n.z) {
      for (int i = 0; i < 3; ++i) planes[i][taps - 1] = 0;
    } else {
      for (int c = threadIdx.x; c < width * height; c += kTileThreads) {
        const int cx = int(blockIdx.x) * kTileX - Radius + c % width,
                  cy = int(blockIdx.y) * kTileY - Radius + c / width;
        const bool exists = cx >= 0 && cx < n.x && cy >= 0 && cy < n.y;
        const Vec3<float> q = exists ? quantities((z * n.y + cy) * n.x + cx) : Vec3<float>{0, 0, 0};
        input[0][c / width][c % width] = q.x, input[1][c / width][c % width] = q.y;
        input[2][c / width][c % width] = q.z;
      }
      __syncthreads();
      for (int c = threadIdx.x; c < kTileX * height; c += kTileThreads)
#pragma unroll
        for (int i = 0; i < 3; ++i) {
          const float* const from = &input[i][c / kTileX][c % kTileX];
          float sum = from[0];
#pragma unroll
          for (int k = 1; k < taps; ++k) sum += from[k];
          alongX[i][c / kTileX][c % kTileX] = sum;
        }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < 3; ++i) {
        float sum = alongX[i][row][column];
#pragma unroll
        for (int k = 1; k < taps; ++k) sum += alongX[i][row + k][column];
        planes[i][taps - 1] = sum;
      }
    }
    const int done = z - Radius;
    if (done < first || x >= n.x || y >= n.y) continue;
    float sums[3];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      sums[i] = planes[i][0];
#pragma unroll
      for (int k = 1; k < taps; ++k) sums[i] += planes[i][k];
    }
    use((done * n.y + y) * n.x + x, Vec3<float>{sums[0], sums[1], sums[2]});
  }
}

/// F, and 0 where the images are not compared.
__device__ float comparedValue(const LevelJob& job, int voxel) {
  const float f = job.reference[voxel];
  return f == f ? f : 0;
}

template <int Radius>
__global__ void __launch_bounds__(kTileThreads)
    referenceWindowsOfTile(const __grid_constant__ LevelJob job, WindowArrays windows, int depth) {
  forEachWindowSum<Radius>(
      job, depth,
      [&](int voxel) {
        const float reference = job.reference[voxel], f = comparedValue(job, voxel);
        return Vec3<float>{reference == reference ? 1.f : 0.f, f, f * f};
      },
      [&](int voxel, Vec3<float> sums) {
        const ReferenceWindow<float> w = referenceWindow(sums.x, sums.y, sums.z);
        windows.inverseCount[voxel] = w.inverseCount, windows.mean[voxel] = w.mean;
        windows.inverseVariance[voxel] = w.inverseVariance;
      });
}

template <int Radius>
__global__ void __launch_bounds__(kTileThreads)
    windowTermsOfTile(const __grid_constant__ LevelJob job, const float* __restrict__ warped,
                      WindowArrays windows, int depth, EnergySums* blocks, LevelMeeting* meeting,
                      EnergySums* total) {
  EnergySums sum = kNoSums;
  forEachWindowSum<Radius>(
      job, depth,
      [&](int voxel) {
        const float w = warped[voxel];
        return Vec3<float>{w, w * w, comparedValue(job, voxel) * w};
      },
      [&](int voxel, Vec3<float> sums) {
        WindowTerms<float> t =
            windowTerms(ReferenceWindow<float>{windows.inverseCount[voxel], windows.mean[voxel],
                                               windows.inverseVariance[voxel]},
                        sums.x, sums.y, sums.z);
        if (job.weights) t = weighted(t, job.weights[voxel]);
        windows.p[voxel] = t.p, windows.q[voxel] = t.q, windows.r[voxel] = t.r;
        sum.similarity += double(t.energy);
      });
  sumOfGrid(sum, blocks, meeting, total);
}

template <int Radius>
__global__ void __launch_bounds__(kTileThreads)
    correlationSlopeOfTile(const __grid_constant__ LevelJob job, WindowArrays windows, float* warped,
                           int depth) {
  forEachWindowSum<Radius>(
      job, depth,
      [&](int voxel) {
        return Vec3<float>{windows.p[voxel], windows.q[voxel], windows.r[voxel]};
      },
      [&](int voxel, Vec3<float> sums) {
        warped[voxel] = correlationSlope(comparedValue(job, voxel), warped[voxel], sums.x, sums.y, sums.z);
      });
}

template <int Radius>
__global__ void __launch_bounds__(kTileThreads)
    correlationOfTile(const __grid_constant__ LevelJob job, const float* __restrict__ warped,
                      WindowArrays windows, int depth, float* result) {
  forEachWindowSum<Radius>(
      job, depth,
      [&](int voxel) {
        const float f = job.reference[voxel], w = f == f ? warped[voxel] : 0;
        return Vec3<float>{w, w * w, comparedValue(job, voxel) * w};
      },
      [&](int voxel, Vec3<float> sums) {
        result[voxel] = correlationOf(ReferenceWindow<float>{windows.inverseCount[voxel], windows.mean[voxel],
                                                             windows.inverseVariance[voxel]},
                                      sums.x, sums.y, sums.z);
      });
}

/// Calls launch(a constant that is the radius).
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

}  // namespace

// More sum fewer planes twice.
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
                      EnergySums* blocks, LevelMeeting* meeting, EnergySums* total, const Stream& stream) {
  const int depth = planesOfWindows(job.size);
  withRadius(radius, [&](auto r) {
    windowTermsOfTile<r()><<<tilesOf(job, depth), kTileThreads, 0, stream.get()>>>(
        job, warped, windows, depth, blocks, meeting, total);
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
