#include "gpu/registration/deformation/level_tile.cuh"
#include "gpu/runtime/memory_access.cuh"
#include "gpu/runtime/warp.cuh"

#include <cuda_pipeline_primitives.h>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
inline namespace smooth_kernels {

constexpr int kWidth = 64;        // of a tile in smoothPlanes()
constexpr int kRun = 8;           // outputs of a thread along y
constexpr int kCommonRadius = 6;  // for σ = 2: loops are unrolled
constexpr int kAnyRadius = -1;

__device__ float* component(const FieldView& field, int i) {
  if (i == 0) return field.x;
  return i == 1 ? field.y : field.z;
}

/// Σ over the neighbors, in the order of registration_kernel.h; at(k) for k = −r … r.
template <int Radius, class At>
__device__ float weighted(const HalfGaussian& gaussian, const At& at) {
  float sum = gaussian.w[0] * at(0);
  if constexpr (Radius == kAnyRadius) {
    for (int k = 1; k <= gaussian.radius; ++k) sum = fusedMultiplyAdd(gaussian.w[k], at(-k) + at(k), sum);
  } else {
#pragma unroll
    for (int k = 1; k <= Radius; ++k) sum = fusedMultiplyAdd(gaussian.w[k], at(-k) + at(k), sum);
  }
  return sum;
}

/// Rows of a tile, fewer if the radius may be large, and threads of its block.
template <int Radius>
constexpr int kHeight = Radius == kAnyRadius ? 32 : 64;
template <int Radius>
constexpr int kThreads = kWidth* kHeight<Radius> / kRun;

/// Shared memory of a block of smoothPlanes(): the tile with its surroundings, and the tile smoothed along x.
struct PlaneTile {
  int rx, ry;  ///< voxels around it
  int height;
  __host__ __device__ int pitch() const { return roundedUp(kWidth + 2 * rx, 4); }
  __host__ __device__ int rows() const { return height + 2 * ry; }
  __host__ __device__ int floats() const { return rows() * (pitch() + kWidth); }
};

/// The voxels that a thread copies for the columns of a tile and for those around it.
template <int Radius>
struct TileColumns {
  static constexpr int kMost = Radius == kAnyRadius ? kLargestRadius : Radius,
                       kCount = ceilDivide(kWidth + 2 * kMost, kWarpSize);
  OddReflection x[kCount];

  __device__ TileColumns(int first, int size) {
#pragma unroll
    for (int c = 0; c < kCount; ++c) x[c] = oddReflection(first + kWarpSize * c + ownLane(), size);
  }
};

/// Calls use(index in the tile, index in the plane, sign) for what this thread copies; a warp takes whole
/// rows.
template <int Radius, class Use>
__device__ void forEachOfTile(const LevelJob& job, const PlaneTile& tile, const TileColumns<Radius>& of,
                              const Use& use) {
  const int pitch = tile.pitch(), rows = tile.rows(), columns = kWidth + 2 * tile.rx;
  const int lane = ownLane(), warp = threadIdx.x / kWarpSize, y0 = blockIdx.y * kHeight<Radius> - tile.ry;
#pragma unroll 2
  for (int row = warp; row < rows; row += kThreads<Radius> / kWarpSize) {
    const OddReflection y = oddReflection(y0 + row, job.size.y);
#pragma unroll
    for (int c = 0; c < of.kCount; ++c)
      if (kWarpSize * c + lane < columns)
        use(row * pitch + kWarpSize * c + lane, y.index * job.row + of.x[c].index, of.x[c].sign * y.sign);
  }
}

/// Smooths a tile with its surroundings along x.
template <int Radius>
__device__ __forceinline__ void smoothRows(const HalfGaussian& gaussian, const PlaneTile& tile,
                                           const float* input, float* smoothed) {
  const int rows = tile.rows(), pitch = tile.pitch();
  if constexpr (Radius == kAnyRadius) {
    for (int c = threadIdx.x; c < rows * kWidth; c += kThreads<Radius>) {
      const float* const at = input + c / kWidth * pitch + c % kWidth + tile.rx;
      smoothed[c] = weighted<Radius>(gaussian, [&](int k) { return at[k]; });
    }
  } else {
    constexpr int quads = ceilDivide(4 + 2 * Radius, 4);
    for (int c = threadIdx.x; c < rows * (kWidth / 4); c += kThreads<Radius>) {
      const float* const at = input + c / (kWidth / 4) * pitch + 4 * (c % (kWidth / 4));
      float a[4 * quads], out[4];
      loadFours(at, a);
#pragma unroll
      for (int o = 0; o < 4; ++o)
        out[o] = weighted<Radius>(gaussian, [&](int k) { return a[o + Radius + k]; });
      storeFour(smoothed + 4 * c, {out[0], out[1], out[2], out[3]});
    }
  }
}

/// Smooths kRun voxels of a column along y and calls store(their number, value).
///
/// @param above  the first of the voxels from the reach of the Gaussian above them on
template <int Radius, class Store>
__device__ __forceinline__ void smoothRun(const HalfGaussian& gaussian, int radius, const float* above,
                                          const Store& store) {
  if constexpr (Radius == kAnyRadius) {
    for (int o = 0; o < kRun; ++o)
      store(o, weighted<Radius>(gaussian, [&](int k) { return above[(o + radius + k) * kWidth]; }));
  } else {
    float a[kRun + 2 * Radius];
#pragma unroll
    for (int j = 0; j < kRun + 2 * Radius; ++j) a[j] = above[j * kWidth];
#pragma unroll
    for (int o = 0; o < kRun; ++o)
      store(o, weighted<Radius>(gaussian, [&](int k) { return a[o + Radius + k]; }));
  }
}

/// Smooths the three components of a tile one after the other: one is loaded while the one before is smoothed
/// along y.
template <int Radius>
__global__ void __launch_bounds__(kThreads<Radius>)
    smoothTile(const __grid_constant__ LevelJob job, const __grid_constant__ HalfGaussian alongX,
               const __grid_constant__ HalfGaussian alongY, FieldView from, FieldView to) {
  extern __shared__ __align__(16) float input[];
  const int rx = Radius == kAnyRadius ? alongX.radius : Radius;
  const int ry = Radius == kAnyRadius ? alongY.radius : Radius;
  const PlaneTile tile{rx, ry, kHeight<Radius>};
  const int t = threadIdx.x;
  float* const smoothed = input + tile.rows() * tile.pitch();
  const Vec3<int> n = job.size;
  const int column = t % kWidth, run = t / kWidth * kRun;
  const int x = blockIdx.x * kWidth + column, y0 = blockIdx.y * kHeight<Radius> + run,
            z = job.first + blockIdx.z;
  const TileColumns<Radius> columns(int(blockIdx.x) * kWidth - rx, n.x);
  const bool atBorder = blockIdx.x == 0 || blockIdx.y == 0 || int(blockIdx.x + 1) * kWidth + rx > n.x ||
                        int(blockIdx.y + 1) * kHeight<Radius> + ry > n.y;
  const auto start = [&](int i) {
    const float* const plane = component(from, i) + z * job.plane;
    forEachOfTile<Radius>(job, tile, columns, [&](int to, int from, float) {
      __pipeline_memcpy_async(input + to, plane + from, sizeof(float));
    });
    __pipeline_commit();
  };
  start(0);
  for (int i = 0; i < 3; ++i) {
    __pipeline_wait_prior(0);
    if (atBorder)
      forEachOfTile<Radius>(job, tile, columns, [&](int to, int, float sign) {
        if (sign < 0) input[to] = -input[to];
      });
    __syncthreads();
    smoothRows<Radius>(alongX, tile, input, smoothed);
    __syncthreads();
    if (i < 2) start(i + 1);
    float* out = component(to, i) + z * job.plane + y0 * job.row + x;
    smoothRun<Radius>(alongY, ry, smoothed + run * kWidth + column, [&](int o, float value) {
      if (x < n.x && y0 + o < n.y) *out = value;
      out += job.row;
    });
  }
}

constexpr int kRuns = 8;      // of a block of smoothDepth(): along z, one warp each
constexpr int kDepthRun = 4;  // outputs of a thread along z

/// Raises the largest square to the maximum over all warps. Squares are not negative, so their bits have the
/// same order.
__device__ void raise(unsigned* largestSquare, float mine) {
  const unsigned bits = largestOverLanes(__float_as_uint(mine));
  // Most warps see that this is unnecessary.
  if (threadIdx.x == 0 && bits > *static_cast<volatile unsigned*>(largestSquare))
    atomicMax(largestSquare, bits);
}

__global__ void tellLargest(GridBarrier* meeting, LevelReport* report) {
  report->largestSquare = meeting->largestSquare;
  meeting->largestSquare = 0;
}

/// A run of kDepthRun voxels along z in one component of a field.
template <int Radius>
class DepthRun {
 public:
  /// @param in     the component in the run's column, from plane 0 on
  /// @param first  plane of the run
  __device__ DepthRun(const LevelJob& job, const HalfGaussian& gaussian, const float* in, int first)
      : job_(job), gaussian_(gaussian), in_(in), first_(first) {}

  /// Calls store(number of a voxel, smoothed value).
  template <class Store>
  __device__ __forceinline__ void smooth(const Store& store) const {
    if constexpr (Radius == kAnyRadius) {
#pragma unroll
      for (int o = 0; o < kDepthRun; ++o)
        store(o, weighted<Radius>(gaussian_, [&](int k) { return at(first_ + o + k); }));
    } else {
      float a[kDepthRun + 2 * Radius];
      load(a);
#pragma unroll
      for (int o = 0; o < kDepthRun; ++o)
        store(o, weighted<Radius>(gaussian_, [&](int k) { return a[o + Radius + k]; }));
    }
  }

 private:
  __device__ __forceinline__ float at(int z) const {
    const OddReflection source = oddReflection(z, job_.size.z);
    return source.sign * __ldg(in_ + source.index * job_.plane);
  }
  /// The voxels of the run and those around it.
  template <int Count>
  __device__ __forceinline__ void load(float (&a)[Count]) const {
    if (first_ >= Radius && first_ + kDepthRun + Radius <= job_.size.z) {
      const int begin = first_ * job_.plane - Radius * job_.plane;
#pragma unroll
      for (int j = 0; j < Count; ++j) a[j] = __ldg(in_ + (begin + j * job_.plane));
    } else {
#pragma unroll
      for (int j = 0; j < Count; ++j) a[j] = at(first_ - Radius + j);
    }
  }

  const LevelJob& job_;
  const HalfGaussian& gaussian_;
  const float* in_;
  int first_;
};

template <int Radius>
__global__ void __launch_bounds__(kWarpSize* kRuns)
    smoothRuns(const __grid_constant__ LevelJob job, const __grid_constant__ DepthSmoothing smoothing,
               GridBarrier* meeting) {
  const float momentum = smoothing.momentum;
  const int x = blockIdx.x * kWarpSize + threadIdx.x, y = blockIdx.y;
  const int z0 = job.first + (blockIdx.z * kRuns + threadIdx.y) * kDepthRun;
  float largest = 0;
  if (x < job.size.x && z0 < job.last) {
    const int column = x + y * job.row, begin = z0 * job.plane;
    float squares[kDepthRun] = {};
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      float* const out = component(smoothing.to, i) + column + begin;
      float last[kDepthRun];
#pragma unroll
      for (int o = 0; o < kDepthRun; ++o)
        last[o] = momentum != 0 && z0 + o < job.last ? out[o * job.plane] : 0;
      const DepthRun<Radius> run(job, smoothing.alongZ, component(smoothing.from, i) + column, z0);
      run.smooth([&](int o, float smoothed) {
        const float v = withMomentum(smoothed, last[o], momentum);
        if (z0 + o >= job.last) return;
        out[o * job.plane] = v;
        squares[o] = plusSquaredComponent(squares[o], v, job.inverse[i]);
      });
    }
#pragma unroll
    for (int o = 0; o < kDepthRun; ++o) largest = fmaxf(largest, squares[o]);
  }
  raise(&meeting->largestSquare, largest);
}

template <int Radius>
void launchPlanes(const LevelJob& job, const HalfGaussian& alongX, const HalfGaussian& alongY, FieldView from,
                  FieldView to, const Stream& stream) {
  const auto bytes =
      std::size_t(PlaneTile{alongX.radius, alongY.radius, kHeight<Radius>}.floats()) * sizeof(float);
  SULCUS_CUDA(
      cudaFuncSetAttribute(smoothTile<Radius>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
  const dim3 grid(blocksFor(job.size.x, kWidth), blocksFor(job.size.y, kHeight<Radius>),
                  unsigned(job.last - job.first));
  smoothTile<Radius><<<grid, kThreads<Radius>, bytes, stream.get()>>>(job, alongX, alongY, from, to);
  SULCUS_CUDA_LAUNCHED("smoothTile");
}

}  // namespace smooth_kernels

void smoothPlanes(const LevelJob& job, const HalfGaussian& alongX, const HalfGaussian& alongY, FieldView from,
                  FieldView to, const Stream& stream) {
  if (alongX.radius == kCommonRadius && alongY.radius == kCommonRadius)
    launchPlanes<kCommonRadius>(job, alongX, alongY, from, to, stream);
  else
    launchPlanes<kAnyRadius>(job, alongX, alongY, from, to, stream);
}

void smoothDepth(const LevelJob& job, const DepthSmoothing& smoothing, GridBarrier* meeting,
                 LevelReport* report, const Stream& stream) {
  const bool isCommon = smoothing.alongZ.radius == kCommonRadius;
  const auto kernel = isCommon ? smoothRuns<kCommonRadius> : smoothRuns<kAnyRadius>;
  const dim3 grid(blocksFor(job.size.x, kWarpSize), unsigned(job.size.y),
                  blocksFor(job.last - job.first, kRuns * kDepthRun));
  kernel<<<grid, dim3(kWarpSize, kRuns), 0, stream.get()>>>(job, smoothing, meeting);
  SULCUS_CUDA_LAUNCHED("smoothRuns");
  tellLargest<<<1, 1, 0, stream.get()>>>(meeting, report);
  SULCUS_CUDA_LAUNCHED("tellLargest");
}

}  // namespace sulcus::gpu::registration
