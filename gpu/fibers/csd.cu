#include "core/base/error.h"
#include "core/fibers/deconvolution/csd_kernel.h"
#include "gpu/fibers/csd.h"
#include "gpu/fibers/csd_directions.cuh"
#include "gpu/fibers/csd_large.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/memory_access.cuh"
#include "gpu/runtime/warp.cuh"

#include <algorithm>
#include <type_traits>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;
inline namespace csd_kernels {

constexpr int kMostWarps = 12;
constexpr int kLargestRegisterOrder = 8;  // csd_large.cu handles the others

/// Row length of the constraints in shared memory: an odd number of float4, so that neighboring lanes
/// reading the same float4 of neighboring rows access different banks.
constexpr int sharedStride(int entries) { return (ceilDivide(entries, 4) | 1) * 4; }

/// Calls `body(std::integral_constant)` for Begin … End − 1: the indices are constants, so that arrays stay
/// in registers.
template <int Begin, int End, class Body>
__device__ void unrolled(const Body& body) {
  if constexpr (Begin < End) {
    body(std::integral_constant<int, Begin>{});
    unrolled<Begin + 1, End>(body);
  }
}

/// The linear algebra of one voxel on one warp; see sulcus::solveCsd in csd_kernel.h.
///
/// Lane i holds element i of every vector and row i of every matrix in registers, and element and row i + 32
/// if they exist; matrices are lower triangles.
template <int U>
class WarpVoxel {
  static constexpr bool kTwo = U > 32;          ///< some lanes have a second row
  static constexpr int kFirst = kTwo ? 32 : U;  ///< length of the first row
  static constexpr int kSecond = kTwo ? U : 1;  ///< and of the second
  static constexpr int kStride = csdStride(U), kShared = sharedStride(U);

 public:
  /// One element per lane, or two.
  struct Vector {
    float low = 0, high = 0;
  };

  /// @param constraints  in shared memory, with stride kShared
  /// @param hessian      in shared memory of this warp, U × U
  __device__ WarpVoxel(const float* normal, const float* normalAll, const float* constraints, float* hessian,
                       Vector right, Vector fibers)
      : normal_(normal),
        normalAll_(normalAll),
        constraints_(constraints),
        hessian_(hessian),
        right_(right),
        f_(fibers),
        lane_(ownLane()) {}

  __device__ Vector fibers() const { return f_; }

  __device__ void evaluate() { multiplyConstraints(f_, directions_.values); }

  __device__ int updateActiveSet() {
    Rows h;
    const auto begin = [&](LaneDirections::Start start) {
      if (start == LaneDirections::Start::before)
        load(h, hessian_, U);
      else
        load(h, start == LaneDirections::Start::all ? normalAll_ : normal_, kStride);
    };
    const int changed = directions_.updateActive(begin, [&](int r, float sign) { addRow(h, r, sign); });
    store(h);
    return changed;
  }

  __device__ void step() {
    d_ = smoothNegativeGradient();
    directions_.forEachActive([&](int r, float value) {
      const float* row = constraints_ + r * kShared;
      if (lane_ < kFirst) d_.low -= value * row[lane_];
      if (kTwo && lane_ + 32 < U) d_.high -= value * row[lane_ + 32];
    });
    Rows h;
    load(h, hessian_, U);
    factor(h);
    solve(h, d_);
    multiplyConstraints(d_, directions_.slopes);
  }

  __device__ float bestStep() const {
    const Vector smooth = smoothNegativeGradient(), image = multiplyNormal(d_);
    const float start = -sumOverLanes(d_.low * smooth.low + d_.high * smooth.high);
    const float curvature = sumOverLanes(d_.low * image.low + d_.high * image.high);
    return bestCsdStep([&](float t) { return start + t * curvature + directions_.penaltySlope(t); });
  }

  __device__ void advance(float t) {
    f_.low += t * d_.low;
    f_.high += t * d_.high;
    directions_.advance(t);
  }

 private:
  /// Row `lane` and row `lane + 32` of a lower triangle.
  struct Rows {
    float low[kFirst], high[kSecond];
  };

  template <int J>
  static __device__ float broadcast(const Vector& x) {
    return J < 32 ? __shfl_sync(kAllLanes, x.low, J & 31) : __shfl_sync(kAllLanes, x.high, J & 31);
  }
  static __device__ float element(const Vector& x, int j) {
    return __shfl_sync(kAllLanes, j < 32 ? x.low : x.high, j & 31);
  }

  /// out: b_r · x for the lane's directions.
  __device__ void multiplyConstraints(const Vector& x, float* out) const {
#pragma unroll
    for (int k = 0; k < LaneDirections::kPerLane; ++k) out[k] = 0;
#pragma unroll
    for (int j = 0; j < U; j += 4) {
      float four[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) four[i] = j + i < U ? element(x, j + i) : 0;
#pragma unroll
      for (int k = 0; k < LaneDirections::kPerLane; ++k) {
        const float4 b = loadFour(constraints_ + directions_.held(k) * kShared + j);
        out[k] += four[0] * b.x + four[1] * b.y + four[2] * b.z + four[3] * b.w;
      }
    }
  }

  __device__ Vector multiplyNormal(const Vector& x) const {
    Vector out;
#pragma unroll
    for (int j = 0; j < U; ++j) {
      const float xj = element(x, j);
      if (lane_ < kFirst) out.low += xj * __ldg(normal_ + j * kStride + lane_);
      if (kTwo && lane_ + 32 < U) out.high += xj * __ldg(normal_ + j * kStride + lane_ + 32);
    }
    return out;
  }
  __device__ Vector smoothNegativeGradient() const {
    const Vector image = multiplyNormal(f_);
    return {right_.low - image.low, right_.high - image.high};
  }

  /// Rows of a symmetric matrix, read by columns so that neighboring lanes read neighboring numbers.
  __device__ void load(Rows& h, const float* from, int stride) const {
    const int low = min(lane_, U - 1), high = min(lane_ + 32, U - 1);
#pragma unroll
    for (int j = 0; j < kFirst; ++j) h.low[j] = from[j * stride + low];
    if constexpr (kTwo)
#pragma unroll
      for (int j = 0; j < kSecond; ++j) h.high[j] = from[j * stride + high];
  }
  __device__ void store(const Rows& h) const {
    __syncwarp();
#pragma unroll
    for (int j = 0; j < kFirst; ++j)
      if (lane_ < U) hessian_[j * U + lane_] = h.low[j];
    if constexpr (kTwo)
#pragma unroll
      for (int j = 0; j < kSecond; ++j)
        if (lane_ + 32 < U) hessian_[j * U + lane_ + 32] = h.high[j];
    __syncwarp();
  }
  __device__ void addRow(Rows& h, int r, float sign) const {
    const float* row = constraints_ + r * kShared;
    const float low = sign * row[min(lane_, U - 1)], high = kTwo ? sign * row[min(lane_ + 32, U - 1)] : 0;
#pragma unroll
    for (int j = 0; j < U; j += 4) {
      const float4 b = loadFour(row + j);
      const float four[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (j + i < kFirst) h.low[j + i] += low * four[i];
        if (kTwo && j + i < U) h.high[j + i] += high * four[i];
      }
    }
  }

  /// Column k of L, with the reciprocal of its diagonal element, and its part in the columns behind it.
  template <int k>
  __device__ __forceinline__ void factorColumn(Rows& h) const {
    float pivot;
    if constexpr (k < kFirst)
      pivot = __shfl_sync(kAllLanes, h.low[k], k);
    else
      pivot = __shfl_sync(kAllLanes, h.high[k], k - 32);
    const float inverse = 1 / sqrtf(pivot);
    Vector column;
    if constexpr (k < kFirst) column.low = h.low[k] *= inverse;
    if constexpr (kTwo) column.high = h.high[k] *= inverse;
    unrolled<k + 1, U>([&](auto of) {
      constexpr int j = of;
      const float w = broadcast<j>(column);
      if constexpr (j < kFirst) h.low[j] -= column.low * w;
      if constexpr (kTwo) h.high[j] -= column.high * w;
    });
    if constexpr (k < kFirst)
      h.low[k] = lane_ == k ? inverse : h.low[k];
    else
      h.high[k] = lane_ + 32 == k ? inverse : h.high[k];
  }
  /// H = L Lᵀ in place, with the diagonal of L inverted.
  __device__ void factor(Rows& h) const {
    unrolled<0, U>([&](auto k) { factorColumn<k>(h); });
  }

  /// Element `row` of x after element k, which is xk, has been taken out.
  static __device__ __forceinline__ float withoutElement(int row, int k, float x, float xk, float factor) {
    if (row == k) return xk;
    return row > k ? x - xk * factor : x;
  }
  /// Lane k gets its element, the others subtract it.
  template <int k>
  __device__ __forceinline__ void substituteForward(const Rows& h, Vector& x) const {
    if constexpr (k < kFirst) {
      const float xk = __shfl_sync(kAllLanes, x.low * h.low[k], k);
      x.low = withoutElement(lane_, k, x.low, xk, h.low[k]);
      if constexpr (kTwo) x.high -= xk * h.high[k];
    } else {
      const float xk = __shfl_sync(kAllLanes, x.high * h.high[k], k - 32);
      x.high = withoutElement(lane_ + 32, k, x.high, xk, h.high[k]);
    }
  }
  /// Column k of the rows below, summed over the lanes.
  template <int k>
  __device__ __forceinline__ void substituteBackward(const Rows& h, Vector& x) const {
    float below = 0;
    if constexpr (k < kFirst) below = lane_ > k && lane_ < U ? x.low * h.low[k] : 0;
    if constexpr (kTwo) below += lane_ + 32 > k && lane_ + 32 < U ? x.high * h.high[k] : 0;
    below = sumOverLanes(below);
    if constexpr (k < kFirst)
      x.low = lane_ == k ? (x.low - below) * h.low[k] : x.low;
    else
      x.high = lane_ + 32 == k ? (x.high - below) * h.high[k] : x.high;
  }
  /// x = H⁻¹ x using the factor.
  __device__ void solve(const Rows& h, Vector& x) const {
    unrolled<0, U>([&](auto k) { substituteForward<k>(h, x); });
    unrolled<0, U>([&](auto k) { substituteBackward<U - 1 - k>(h, x); });
  }

  const float *normal_, *normalAll_, *constraints_;
  float* hessian_;
  Vector right_, f_, d_;
  LaneDirections directions_;
  int lane_;
};

/// CsdConstants in device memory.
struct Matrices {
  const float *normal, *normalAll, *constraints;
};

template <int U>
__global__ void __launch_bounds__(kWarpSize* kMostWarps, 1)
    solveVoxels(const Matrices matrices, const Columns columns, const float* right, float* coefficients) {
  extern __shared__ __align__(16) float shared[];
  constexpr int stride = sharedStride(U), from = csdStride(U);
  for (int i = threadIdx.x; i < kCsdDirections * stride; i += blockDim.x)
    shared[i] = i % stride < U ? matrices.constraints[i / stride * from + i % stride] : 0;
  __syncthreads();

  const int lane = ownLane(), warp = threadIdx.x / kWarpSize, warps = blockDim.x / kWarpSize;
  float* const hessian = shared + kCsdDirections * stride + warp * U * U;
  const std::int64_t capacity = columns.capacity;
  const auto gathered = [&](const float* map, std::int64_t voxel) {
    typename WarpVoxel<U>::Vector vector;
    if (lane < U) vector.low = map[lane * capacity + voxel];
    if (lane + 32 < U) vector.high = map[(lane + 32) * capacity + voxel];
    return vector;
  };
  for (std::int64_t voxel = columns.begin + std::int64_t(blockIdx.x) * warps + warp; voxel < columns.end;
       voxel += std::int64_t(gridDim.x) * warps) {
    WarpVoxel<U> solver(matrices.normal, matrices.normalAll, shared, hessian, gathered(right, voxel),
                        gathered(coefficients, voxel));
    sulcus::fibers::solveCsd(solver);
    const auto fibers = solver.fibers();
    if (lane < U) coefficients[lane * capacity + voxel] = fibers.low;
    if (lane + 32 < U) coefficients[(lane + 32) * capacity + voxel] = fibers.high;
  }
}

template <int U>
void launch(const CsdConstants& constants, const Columns& columns, const float* right, float* coefficients,
            const Stream& stream) {
  constexpr int common = kCsdDirections * sharedStride(U) * int(sizeof(float)),
                perWarp = U * U * int(sizeof(float));
  const int warps = std::clamp((sharedBytesPerBlock() - common) / perWarp, 0, kMostWarps);
  if (warps == 0)
    throw Error("This GPU cannot deconvolve", "its multiprocessors have too little shared memory",
                "run on the CPU or take another model", ErrorKind::unavailable);
  const int bytes = common + warps * perWarp;
  SULCUS_CUDA(cudaFuncSetAttribute(solveVoxels<U>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const std::int64_t grid = std::min<std::int64_t>(multiprocessors(), ceilDivide(columns.count(), warps));
  solveVoxels<U><<<unsigned(grid), kWarpSize * warps, bytes, stream.get()>>>(
      {constants.normal.data(), constants.normalAll.data(), constants.constraints.data()}, columns, right,
      coefficients);
  SULCUS_CUDA_LAUNCHED("solveVoxels");
}

}  // namespace csd_kernels

CsdConstants uploadCsd(const CsdPlan& plan, const Stream& stream) {
  return {plan.order, uploaded<float>(plan.normal, stream), uploaded<float>(plan.normalAll, stream),
          uploaded<float>(plan.constraints, stream),
          plan.order > kLargestRegisterOrder ? uploaded<float>(plan.constraintsTransposed, stream)
                                             : Buffer<float>()};
}

std::int64_t csdConstantBytes(int order) {
  const std::int64_t entries = tensorEntries(order);
  const std::int64_t transposed = order > kLargestRegisterOrder ? entries * kCsdPaddedRows : 0;
  return 4 * ((2 * entries + kCsdDirections) * csdStride(int(entries)) + transposed);
}

void solveCsd(const CsdConstants& constants, const Columns& columns, const float* right, float* coefficients,
              const Stream& stream) {
  if (columns.count() <= 0) return;
  switch (constants.order) {
    case 2:
      return launch<tensorEntries(2)>(constants, columns, right, coefficients, stream);
    case 4:
      return launch<tensorEntries(4)>(constants, columns, right, coefficients, stream);
    case 6:
      return launch<tensorEntries(6)>(constants, columns, right, coefficients, stream);
    case 8:
      return launch<tensorEntries(8)>(constants, columns, right, coefficients, stream);
    default:
      return solveLargeCsd(constants, columns, right, coefficients, stream);
  }
}

}  // namespace sulcus::gpu::fibers
