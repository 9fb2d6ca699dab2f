#include "core/base/error.h"
#include "core/fibers/deconvolution/csd_kernel.h"
#include "gpu/fibers/csd_directions.cuh"
#include "gpu/fibers/csd_large.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/warp.cuh"

#include <algorithm>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;
inline namespace csd_large_kernels {

constexpr int kMostLargeWarps = 8;
constexpr int kParts = ceilDivide(tensorEntries(kLargestOrder), kWarpSize);
constexpr int kRowsAtOnce = 4;

/// Number of elements of a lower triangle.
constexpr int triangleOf(int entries) { return entries * (entries + 1) / 2; }

/// The constants of the deconvolution in device memory.
struct Constants {
  int entries, stride;  ///< U, csdStride(U)
  const float *normal, *normalAll, *constraints, *transposed;
};

/// The linear algebra of one voxel on one warp; see sulcus::solveCsd in csd_kernel.h.
///
/// Lane i holds the elements i, i + 32 and i + 64 of every vector. The lower triangles of H and of its factor
/// are in shared memory column by column, so that neighboring lanes access neighboring numbers.
class SharedVoxel {
 public:
  /// The elements of one lane; 0 beyond the last.
  struct Vector {
    float part[kParts] = {};
  };

  /// @param triangles  in shared memory of this warp, twice triangleOf(entries)
  __device__ SharedVoxel(const Constants& constants, float* triangles, const Vector& right,
                         const Vector& fibers)
      : c_(constants),
        hessian_(triangles),
        factor_(triangles + triangleOf(constants.entries)),
        right_(right),
        f_(fibers),
        lane_(ownLane()) {}

  __device__ const Vector& fibers() const { return f_; }

  __device__ void evaluate() { multiplyConstraints(f_, directions_.values); }

  __device__ int updateActiveSet() {
    const auto begin = [&](LaneDirections::Start start) {
      if (start != LaneDirections::Start::before)
        copyTriangle(start == LaneDirections::Start::all ? c_.normalAll : c_.normal);
    };
    int waiting = 0;
    int rows[kRowsAtOnce];
    float signs[kRowsAtOnce];
    const int changed = directions_.updateActive(begin, [&](int r, float sign) {
#pragma unroll
      for (int i = 0; i < kRowsAtOnce; ++i)
        if (i == waiting) {
          rows[i] = r;
          signs[i] = sign;
        }
      if (++waiting < kRowsAtOnce) return;
      addRows(rows, signs, waiting);
      waiting = 0;
    });
    if (waiting > 0) addRows(rows, signs, waiting);
    __syncwarp();
    return changed;
  }

  __device__ void step() {
    d_ = smoothNegativeGradient();
    directions_.forEachActive([&](int r, float value) {
      const Vector row = constraint(r);
#pragma unroll
      for (int p = 0; p < kParts; ++p) d_.part[p] -= value * row.part[p];
    });
    factor();
    solve(d_);
    multiplyConstraints(d_, directions_.slopes);
  }

  __device__ float bestStep() const {
    const Vector smooth = smoothNegativeGradient(), image = multiplyNormal(d_);
    const float start = -sumOverLanes(dot(d_, smooth)), curvature = sumOverLanes(dot(d_, image));
    return bestCsdStep([&](float t) { return start + t * curvature + directions_.penaltySlope(t); });
  }

  __device__ void advance(float t) {
#pragma unroll
    for (int p = 0; p < kParts; ++p) f_.part[p] += t * d_.part[p];
    directions_.advance(t);
  }

 private:
  __device__ int element(int p) const { return lane_ + 32 * p; }
  /// Whether the lane's p-th element exists and is at least `first`.
  __device__ bool isFrom(int first, int p) const { return element(p) >= first && element(p) < c_.entries; }
  /// Index of the entry of a row and column, row ≥ column, in a triangle.
  __device__ int place(int row, int column) const { return column * (2 * c_.entries - column - 1) / 2 + row; }
  static __device__ float dot(const Vector& x, const Vector& y) {
    float sum = 0;
#pragma unroll
    for (int p = 0; p < kParts; ++p) sum += x.part[p] * y.part[p];
    return sum;
  }
  /// Element j of a vector, for all lanes.
  static __device__ float broadcast(const Vector& x, int j) {
    float own = x.part[0];
    if (j >= 32) own = x.part[1];
    if (j >= 64) own = x.part[2];
    return __shfl_sync(kAllLanes, own, j % 32);
  }
  static_assert(kParts == 3);

  /// The lane's elements of a row of U numbers in device memory.
  __device__ Vector loaded(const float* row) const {
    Vector vector;
#pragma unroll
    for (int p = 0; p < kParts; ++p)
      if (element(p) < c_.entries) vector.part[p] = __ldg(row + element(p));
    return vector;
  }
  __device__ Vector constraint(int r) const { return loaded(c_.constraints + r * c_.stride); }

  /// out: b_r · x for the lane's directions.
  __device__ void multiplyConstraints(const Vector& x, float* out) const {
#pragma unroll
    for (int k = 0; k < LaneDirections::kPerLane; ++k) out[k] = 0;
#pragma unroll 2
    for (int j = 0; j < c_.entries; ++j) {
      const float xj = broadcast(x, j);
      const float* const row = c_.transposed + j * kCsdPaddedRows;
#pragma unroll
      for (int k = 0; k < LaneDirections::kPerLane; ++k) out[k] += xj * __ldg(row + directions_.held(k));
    }
  }

  __device__ Vector multiplyNormal(const Vector& x) const {
    Vector out;
#pragma unroll 2
    for (int j = 0; j < c_.entries; ++j) {
      const float xj = broadcast(x, j);
      const Vector column = loaded(c_.normal + j * c_.stride);
#pragma unroll
      for (int p = 0; p < kParts; ++p) out.part[p] += xj * column.part[p];
    }
    return out;
  }
  __device__ Vector smoothNegativeGradient() const {
    Vector gradient = multiplyNormal(f_);
#pragma unroll
    for (int p = 0; p < kParts; ++p) gradient.part[p] = right_.part[p] - gradient.part[p];
    return gradient;
  }

  /// H = a symmetric matrix in device memory.
  __device__ void copyTriangle(const float* from) {
    __syncwarp();
    for (int j = 0; j < c_.entries; ++j)
      for (int i = j + lane_; i < c_.entries; i += 32)
        hessian_[place(i, j)] = __ldg(from + j * c_.stride + i);
    __syncwarp();
  }

  /// H += Σ sign b_r bᵀ_r over the first `count` rows.
  __device__ void addRows(const int* rows, const float* signs, int count) {
    Vector row[kRowsAtOnce], signedRow[kRowsAtOnce];
#pragma unroll
    for (int r = 0; r < kRowsAtOnce; ++r)
      if (r < count) {
        row[r] = constraint(rows[r]);
#pragma unroll
        for (int p = 0; p < kParts; ++p) signedRow[r].part[p] = signs[r] * row[r].part[p];
      }
#pragma unroll 1
    for (int j = 0; j < c_.entries; ++j) {
      float at[kRowsAtOnce];
#pragma unroll
      for (int r = 0; r < kRowsAtOnce; ++r) at[r] = broadcast(signedRow[r], j);
#pragma unroll
      for (int p = 0; p < kParts; ++p) {
        const int i = element(p);
        if (i < j || i >= c_.entries) continue;
        float sum = hessian_[place(i, j)];
#pragma unroll
        for (int r = 0; r < kRowsAtOnce; ++r) sum += row[r].part[p] * at[r];
        hessian_[place(i, j)] = sum;
      }
    }
  }

  /// The lane's elements of column j of H after the columns before it have been taken out.
  __device__ __forceinline__ Vector remainingColumn(int j) const {
    Vector column;
#pragma unroll
    for (int p = 0; p < kParts; ++p)
      if (isFrom(j, p)) column.part[p] = hessian_[place(element(p), j)];
#pragma unroll 4
    for (int k = 0; k < j; ++k) {
      const float w = factor_[place(j, k)];
#pragma unroll
      for (int p = 0; p < kParts; ++p)
        if (isFrom(j, p)) column.part[p] -= w * factor_[place(element(p), k)];
    }
    return column;
  }
  /// H = L Lᵀ column by column, with the diagonal of L inverted.
  __device__ void factor() {
    __syncwarp();
#pragma unroll 1
    for (int j = 0; j < c_.entries; ++j) {
      const Vector column = remainingColumn(j);
      const float inverse = 1 / sqrt(broadcast(column, j));
#pragma unroll
      for (int p = 0; p < kParts; ++p)
        if (isFrom(j, p))
          factor_[place(element(p), j)] = element(p) == j ? inverse : inverse * column.part[p];
      __syncwarp();
    }
  }

  /// x = H⁻¹ x using the factor.
  __device__ void solve(Vector& x) const {
#pragma unroll 1
    for (int k = 0; k < c_.entries; ++k) {
      const float xk = broadcast(x, k) * factor_[place(k, k)];
#pragma unroll
      for (int p = 0; p < kParts; ++p) {
        if (element(p) == k) x.part[p] = xk;
        if (isFrom(k + 1, p)) x.part[p] -= xk * factor_[place(element(p), k)];
      }
    }
#pragma unroll 1
    for (int k = c_.entries - 1; k >= 0; --k) {
      float below = 0;
#pragma unroll
      for (int p = 0; p < kParts; ++p)
        if (isFrom(k + 1, p)) below += x.part[p] * factor_[place(element(p), k)];
      below = sumOverLanes(below);
#pragma unroll
      for (int p = 0; p < kParts; ++p)
        if (element(p) == k) x.part[p] = (x.part[p] - below) * factor_[place(k, k)];
    }
  }

  const Constants& c_;
  float *hessian_, *factor_;
  Vector right_, f_, d_;
  LaneDirections directions_;
  int lane_;
};

__global__ void __launch_bounds__(kWarpSize* kMostLargeWarps, 1)
    solveLargeVoxels(const Constants constants, const Columns columns, const float* right,
                     float* coefficients) {
  extern __shared__ __align__(16) unsigned char sharedBytes[];
  const int lane = ownLane(), warp = threadIdx.x / kWarpSize, warps = blockDim.x / kWarpSize;
  float* const triangles = reinterpret_cast<float*>(sharedBytes) + warp * 2 * triangleOf(constants.entries);
  const auto gathered = [&](const float* map, std::int64_t voxel) {
    SharedVoxel::Vector vector;
#pragma unroll
    for (int p = 0; p < kParts; ++p)
      if (lane + 32 * p < constants.entries) vector.part[p] = map[(lane + 32 * p) * columns.capacity + voxel];
    return vector;
  };
  for (std::int64_t voxel = columns.begin + std::int64_t(blockIdx.x) * warps + warp; voxel < columns.end;
       voxel += std::int64_t(gridDim.x) * warps) {
    SharedVoxel solver(constants, triangles, gathered(right, voxel), gathered(coefficients, voxel));
    sulcus::fibers::solveCsd(solver);
#pragma unroll
    for (int p = 0; p < kParts; ++p)
      if (lane + 32 * p < constants.entries)
        coefficients[(lane + 32 * p) * columns.capacity + voxel] = solver.fibers().part[p];
  }
}

void launchLarge(const Constants& constants, const Columns& columns, const float* right, float* coefficients,
                 const Stream& stream) {
  const int perWarp = 2 * triangleOf(constants.entries) * int(sizeof(float));
  const int warps = std::clamp(sharedBytesPerBlock() / perWarp, 0, kMostLargeWarps);
  if (warps == 0)
    throw Error("This GPU cannot deconvolve", "its multiprocessors have too little shared memory",
                "run on the CPU or take a lower order", ErrorKind::unavailable);
  SULCUS_CUDA(
      cudaFuncSetAttribute(solveLargeVoxels, cudaFuncAttributeMaxDynamicSharedMemorySize, warps * perWarp));
  const std::int64_t grid = std::min<std::int64_t>(multiprocessors(), ceilDivide(columns.count(), warps));
  solveLargeVoxels<<<unsigned(grid), kWarpSize * warps, warps * perWarp, stream.get()>>>(constants, columns,
                                                                                         right, coefficients);
  SULCUS_CUDA_LAUNCHED("solveLargeVoxels");
}

}  // namespace csd_large_kernels

void solveLargeCsd(const CsdConstants& constants, const Columns& columns, const float* right,
                   float* coefficients, const Stream& stream) {
  const int entries = tensorEntries(constants.order);
  launchLarge({entries, csdStride(entries), constants.normal.data(), constants.normalAll.data(),
               constants.constraints.data(), constants.constraintsTransposed.data()},
              columns, right, coefficients, stream);
}

}  // namespace sulcus::gpu::fibers
