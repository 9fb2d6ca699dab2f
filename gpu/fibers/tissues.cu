#include "core/base/error.h"
#include "core/fibers/deconvolution/tissue_kernel.h"
#include "gpu/fibers/tissues.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/tile_product.cuh"

#include <algorithm>
#include <vector>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;
inline namespace tissues_kernels {

constexpr int kMostWarps = 8;
/// If fewer warps than this would fit beside the constraints in shared memory, these stay in device memory.
constexpr int kFewestWarps = 4;
constexpr int kSlicesPerTile = kTileSize / kTileDepth;
constexpr int kTileEntries = kTileSize * kTileSize;

/// Rows of the constraints, padded to whole tiles.
constexpr int kRows = roundedUp(kTissueRows, kTileSize), kRowTiles = kRows / kTileSize;
/// Tiles of rows whose conditions are distributed over the four lanes of a group.
constexpr int kConditionsPerLane = ceilDivide(kRowTiles, kTileDepth);

constexpr int tilesOf(int unknowns) { return ceilDivide(unknowns, kTileSize); }
/// Length of a row of the constraints: half a tile more than whole ones, so that four neighboring rows lie
/// in different banks of shared memory.
constexpr int strideOf(int unknowns) { return kTileSize * tilesOf(unknowns) + kTileSize / 2; }
constexpr int constraintNumbers(int unknowns) { return kRows * strideOf(unknowns); }
/// Doubles of shared memory of a warp: the tiles of a lower triangle, and one number per condition.
constexpr int warpNumbers(int unknowns) {
  return tilesOf(unknowns) * (tilesOf(unknowns) + 1) / 2 * kTileEntries + kRows;
}

/// The conditions and the linear algebra of one voxel on one warp; see solveTissueVoxel in tissue_kernel.h.
///
/// All matrices are divided into tiles of 8 × 8, and everything is a sum of products of tiles
/// (tile_product.cuh), vectors as tiles with eight equal columns. Lanes of a group hold the same element of
/// each tile of a vector. Of every four tiles of conditions, member i of group g holds condition g of tile i.
template <int V>
class WarpTissueVoxel {
  static constexpr int kTiles = tilesOf(V), kStride = strideOf(V);
  /// One element per tile.
  using Vector = double[kTiles];

 public:
  static constexpr int kConditions = kTissueRows;

  /// @param constraints  kRows × kStride, in shared or device memory
  /// @param own          shared memory of this warp, warpNumbers(V) doubles
  /// @param unknowns     of this voxel: y₀, with stride `capacity`
  __device__ WarpTissueVoxel(const double* constraints, double* own, const float* unknowns,
                             std::int64_t capacity)
      : constraints_(constraints), factor_(own), perCondition_(own + warpNumbers(V) - kRows) {
#pragma unroll
    for (int b = 0; b < kTiles; ++b) left_[b] = element(b) < V ? unknowns[element(b) * capacity] : 0;
  }

  /// Overwrites y₀ by y.
  __device__ void finish(float* unknowns, std::int64_t capacity) const {
#pragma unroll
    for (int b = 0; b < kTiles; ++b)
      if (element(b) < V && tileMember() == 0)
        unknowns[element(b) * capacity] = float(unknowns[element(b) * capacity] - left_[b]);
  }

  __device__ double length() const {
    double sum = 0;
#pragma unroll
    for (int b = 0; b < kTiles; ++b) sum += left_[b] * left_[b];
    return sqrt(sumOverLanes(sum) / kTileDepth);
  }

  template <class Change>
  __device__ void forEach(const Change& change) {
#pragma unroll
    for (int q = 0; q < kConditionsPerLane; ++q)
      if (condition(q) < kTissueRows) change(conditions_[q]);
  }
  template <class Of>
  __device__ double sum(const Of& of) const {
    double sum = 0;
#pragma unroll
    for (int q = 0; q < kConditionsPerLane; ++q)
      if (condition(q) < kTissueRows) sum += of(conditions_[q]);
    return sumOverLanes(sum);
  }
  template <class Of>
  __device__ double largest(const Of& of) const {
    double largest = 0;
#pragma unroll
    for (int q = 0; q < kConditionsPerLane; ++q)
      if (condition(q) < kTissueRows) largest = max(largest, of(conditions_[q]));
    return largestOverLanes(largest);
  }

  /// Computes a column of tiles at a time: the sum over the conditions minus the products of the previous
  /// columns; these tiles are then multiplied by the inverse of the first one's factor, which replaces that
  /// tile.
  __device__ void factor() {
    store([](const TissueCondition& c) { return c.weight(); });
#pragma unroll 1
    for (int j = 0; j < kTiles; ++j) {
      double2 column[kTiles] = {};
      addConditions(j, column);
      subtractColumns(j, column);
      double2 diagonal{};
#pragma unroll
      for (int i = 0; i < kTiles; ++i) {
        if (i == j) diagonal = column[i];
        if (i > j) storeTile(tile(i, j), column[i]);
      }
      diagonal.x += tileGroup() == 2 * tileMember();
      diagonal.y += tileGroup() == 2 * tileMember() + 1;
      storeTile(tile(j, j), inverseFactor(diagonal));
      __syncwarp();
      multiplyByInverse(j, column);
      __syncwarp();
#pragma unroll
      for (int i = 0; i < kTiles; ++i)
        if (i > j) storeTile(tile(i, j), column[i]);
      __syncwarp();
    }
  }

  template <class Right, class Take>
  __device__ void solve(const Right& right, const Take& take) {
    store(right);
    double2 sums[kTiles] = {};
#pragma unroll 2
    for (int k = 0; k < kRows; k += kTileDepth) {
      const double* const row = constraints_ + (k + tileMember()) * kStride + tileGroup();
      const double value = perCondition_[k + tileMember()];
#pragma unroll
      for (int i = 0; i < kTiles; ++i) addTileProduct(sums[i], row[kTileSize * i], value);
    }
#pragma unroll
    for (int i = 0; i < kTiles; ++i) step_[i] = left_[i] + sums[i].x;
    substitute();
    multiply(take);
  }

  __device__ void advance(double t) {
#pragma unroll
    for (int b = 0; b < kTiles; ++b) left_[b] -= t * step_[b];
  }

 private:
  __device__ static int element(int b) { return kTileSize * b + tileGroup(); }
  __device__ static int condition(int q) { return kTileSize * (kTileDepth * q + tileMember()) + tileGroup(); }

  /// Tile i, j of the factor, i ≥ j, by rows.
  __device__ double* tile(int i, int j) const {
    return factor_ + (j * (2 * kTiles - j - 1) / 2 + i) * kTileEntries;
  }
  /// The lane's element of a tile as left factor, or of the transposed tile as right factor.
  __device__ static double fragment(const double* tile, int slice) {
    return tile[kTileSize * tileGroup() + kTileDepth * slice + tileMember()];
  }
  /// The lane's element of the transposed tile as left factor.
  __device__ static double transposedFragment(const double* tile, int slice) {
    return tile[kTileSize * (kTileDepth * slice + tileMember()) + tileGroup()];
  }
  __device__ static void storeTile(double* tile, const double2& sum) {
    *reinterpret_cast<double2*>(tile + kTileSize * tileGroup() + 2 * tileMember()) = sum;
  }
  /// The lane's element of a tile of a vector as right factor.
  __device__ static double broadcast(double element, int slice) {
    return __shfl_sync(kAllLanes, element, kTileDepth * (kTileDepth * slice + tileMember()));
  }

  /// Adds the conditions to column j of tiles, from tile j on.
  __device__ __forceinline__ void addConditions(int j, double2 (&column)[kTiles]) const {
#pragma unroll 2
    for (int k = 0; k < kRows; k += kTileDepth) {
      const double* const row = constraints_ + (k + tileMember()) * kStride + tileGroup();
      const double weighted = perCondition_[k + tileMember()] * row[kTileSize * j];
#pragma unroll
      for (int i = 0; i < kTiles; ++i)
        if (i >= j) addTileProduct(column[i], row[kTileSize * i], weighted);
    }
  }
  /// Subtracts the products of the columns of the factor before column j.
  __device__ __forceinline__ void subtractColumns(int j, double2 (&column)[kTiles]) const {
#pragma unroll 1
    for (int k = 0; k < j; ++k)
#pragma unroll
      for (int slice = 0; slice < kSlicesPerTile; ++slice) {
        const double right = -fragment(tile(j, k), slice);
#pragma unroll
        for (int i = 0; i < kTiles; ++i)
          if (i >= j) addTileProduct(column[i], fragment(tile(i, k), slice), right);
      }
  }
  /// The products of the tiles below tile j, j with it.
  __device__ __forceinline__ void multiplyByInverse(int j, double2 (&column)[kTiles]) const {
    double inverse[kSlicesPerTile];
#pragma unroll
    for (int slice = 0; slice < kSlicesPerTile; ++slice) inverse[slice] = fragment(tile(j, j), slice);
#pragma unroll
    for (int i = 0; i < kTiles; ++i)
      if (i > j) {
        column[i] = {};
#pragma unroll
        for (int slice = 0; slice < kSlicesPerTile; ++slice)
          addTileProduct(column[i], fragment(tile(i, j), slice), inverse[slice]);
      }
  }

  /// perCondition_ = of(condition), 0 beyond the last.
  template <class Of>
  __device__ void store(const Of& of) const {
    __syncwarp();
#pragma unroll
    for (int q = 0; q < kConditionsPerLane; ++q)
      if (condition(q) < kRows)
        perCondition_[condition(q)] = condition(q) < kTissueRows ? of(conditions_[q]) : 0;
    __syncwarp();
  }

  /// L⁻¹ of a tile L Lᵀ.
  __device__ static double2 inverseFactor(double2 tile) {
    const int row = tileGroup(), first = 2 * tileMember();
    double2 inverse{double(row == first), double(row == first + 1)};
#pragma unroll
    for (int k = 0; k < kTileSize; ++k) {
      const double own = k % 2 ? tile.y : tile.x;  // column k, if the lane has it
      const double scale = rsqrt(__shfl_sync(kAllLanes, own, kTileDepth * k + k / 2));
      const double column = scale * __shfl_sync(kAllLanes, own, kTileDepth * row + k / 2);
      const auto ofRow = [&](double value) {
        return scale * __shfl_sync(kAllLanes, value, kTileDepth * k + tileMember());
      };
      const double2 pivotRow{ofRow(tile.x), ofRow(tile.y)}, inverseRow{ofRow(inverse.x), ofRow(inverse.y)};
      if (row == k) inverse = inverseRow;
      if (row > k) {
        tile.x -= column * pivotRow.x;
        tile.y -= column * pivotRow.y;
        inverse.x -= column * inverseRow.x;
        inverse.y -= column * inverseRow.y;
      }
    }
    return inverse;
  }

  /// step = (L Lᵀ)⁻¹ step.
  __device__ void substitute() {
    double right[kTiles][kSlicesPerTile];  // the solved tiles, as right factors
    const auto know = [&](int j, double sum, const auto& fragmentOf) {
      double2 known{};
#pragma unroll
      for (int slice = 0; slice < kSlicesPerTile; ++slice)
        addTileProduct(known, fragmentOf(tile(j, j), slice), broadcast(sum, slice));
      step_[j] = known.x;
#pragma unroll
      for (int slice = 0; slice < kSlicesPerTile; ++slice) right[j][slice] = broadcast(known.x, slice);
    };
#pragma unroll
    for (int j = 0; j < kTiles; ++j) {
      double2 sum{};
#pragma unroll
      for (int k = 0; k < j; ++k)
#pragma unroll
        for (int slice = 0; slice < kSlicesPerTile; ++slice)
          addTileProduct(sum, fragment(tile(j, k), slice), right[k][slice]);
      know(j, step_[j] - sum.x, fragment);
    }
#pragma unroll
    for (int j = kTiles - 1; j >= 0; --j) {
      double2 sum{};
#pragma unroll
      for (int i = j + 1; i < kTiles; ++i)
#pragma unroll
        for (int slice = 0; slice < kSlicesPerTile; ++slice)
          addTileProduct(sum, transposedFragment(tile(i, j), slice), right[i][slice]);
      know(j, step_[j] - sum.x, transposedFragment);
    }
  }

  /// The product of the lane's q-th condition with a vector, whose tiles are given as right factors.
  __device__ __forceinline__ double productOf(int q, const double (&right)[kTiles][kSlicesPerTile]) const {
    double2 products[kTileDepth] = {};
#pragma unroll
    for (int j = 0; j < kTiles; ++j)
#pragma unroll
      for (int slice = 0; slice < kSlicesPerTile; ++slice)
#pragma unroll
        for (int i = 0; i < kTileDepth; ++i) {
          if (kTileDepth * q + i >= kRowTiles) continue;
          const double* const row =
              constraints_ + (kTileSize * (kTileDepth * q + i) + tileGroup()) * kStride + tileMember();
          addTileProduct(products[i], row[kTileSize * j + kTileDepth * slice], right[j][slice]);
        }
    double own = 0;
#pragma unroll
    for (int i = 0; i < kTileDepth; ++i)
      if (tileMember() == i) own = products[i].x;
    return own;
  }

  /// take(condition, p · step) for all conditions.
  template <class Take>
  __device__ void multiply(const Take& take) {
    double right[kTiles][kSlicesPerTile];
#pragma unroll
    for (int j = 0; j < kTiles; ++j)
#pragma unroll
      for (int slice = 0; slice < kSlicesPerTile; ++slice) right[j][slice] = broadcast(step_[j], slice);
#pragma unroll
    for (int q = 0; q < kConditionsPerLane; ++q) {
      const double own = productOf(q, right);
      if (condition(q) < kTissueRows) take(conditions_[q], own);
    }
  }

  const double* constraints_;
  double *factor_, *perCondition_;
  TissueCondition conditions_[kConditionsPerLane];
  Vector left_, step_;  ///< y₀ − y, d
};

template <int V>
__global__ void __launch_bounds__(kWarpSize* kMostWarps, 1)
    solveTissueVoxels(const double* constraints, bool areShared, const Columns columns, float* unknowns) {
  extern __shared__ __align__(16) double numbers[];
  const int warp = threadIdx.x / kWarpSize, warps = blockDim.x / kWarpSize;
  double* const own = numbers + warp * warpNumbers(V);
  if (areShared) {
    double* const shared = numbers + warps * warpNumbers(V);
    for (int i = threadIdx.x; i < constraintNumbers(V); i += blockDim.x) shared[i] = constraints[i];
    __syncthreads();
    constraints = shared;
  }
  for (std::int64_t voxel = columns.begin + std::int64_t(blockIdx.x) * warps + warp; voxel < columns.end;
       voxel += std::int64_t(gridDim.x) * warps) {
    WarpTissueVoxel<V> solver(constraints, own, unknowns + voxel, columns.capacity);
    solveTissueVoxel(solver);
    solver.finish(unknowns + voxel, columns.capacity);
  }
}

template <int V>
void launch(const TissueConstants& constants, const Columns& columns, float* unknowns, const Stream& stream) {
  constexpr int perWarp = warpNumbers(V) * int(sizeof(double)),
                common = constraintNumbers(V) * int(sizeof(double));
  const auto warpsBeside = [](int bytes) {
    return std::clamp((sharedBytesPerBlock() - bytes) / perWarp, 0, kMostWarps);
  };
  const bool areShared = warpsBeside(common) >= kFewestWarps;
  const int warps = warpsBeside(areShared ? common : 0);
  if (warps == 0)
    throw Error("This GPU cannot deconvolve", "its multiprocessors have too little shared memory",
                "run on the CPU or take a lower order", ErrorKind::unavailable);
  const int bytes = warps * perWarp + (areShared ? common : 0);
  SULCUS_CUDA(cudaFuncSetAttribute(solveTissueVoxels<V>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const std::int64_t grid = std::min<std::int64_t>(multiprocessors(), ceilDivide(columns.count(), warps));
  solveTissueVoxels<V><<<unsigned(grid), kWarpSize * warps, bytes, stream.get()>>>(
      constants.constraints.data(), areShared, columns, unknowns);
  SULCUS_CUDA_LAUNCHED("solveTissueVoxels");
}

}  // namespace tissues_kernels

TissueConstants uploadTissues(const TissuePlan& plan, const Stream& stream) {
  const int unknowns = tissueUnknowns(plan.order), from = csdStride(unknowns), stride = strideOf(unknowns);
  std::vector<double> rows(std::size_t(constraintNumbers(unknowns)), 0.0);
  for (int r = 0; r < kTissueRows; ++r)
    std::copy_n(plan.constraints.data() + std::ptrdiff_t(r) * from, unknowns,
                rows.data() + std::ptrdiff_t(r) * stride);
  TissueConstants constants{plan.order, uploaded<double>(rows, stream)};
  stream.synchronize();  // `rows` goes out of scope
  return constants;
}

std::int64_t tissueConstantBytes(int order) {
  return std::int64_t(sizeof(double)) * constraintNumbers(tissueUnknowns(order));
}

void solveTissues(const TissueConstants& constants, const Columns& columns, float* unknowns,
                  const Stream& stream) {
  if (columns.count() <= 0) return;
  withOrder(constants.order,
            [&](auto order) { launch<tissueUnknowns(order)>(constants, columns, unknowns, stream); });
}

}  // namespace sulcus::gpu::fibers
