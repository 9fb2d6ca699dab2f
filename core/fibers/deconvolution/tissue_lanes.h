#pragma once

#include "core/fibers/deconvolution/tissue_kernel.h"
#include "core/fibers/deconvolution/tissues.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

// The multi-tissue deconvolution of one voxel on one thread with vector registers.

namespace sulcus::fibers {

/// Four doubles in one register.
using TissueLanes = double __attribute__((vector_size(32)));
inline constexpr int kTissueLanes = 4;

/// N consecutive numbers, accessible as lanes.
template <int N>
struct TissueNumbers {
  static_assert(N % kTissueLanes == 0);
  std::array<TissueLanes, N / kTissueLanes> lanes;

  TissueLanes& operator[](int i) { return lanes[std::size_t(i)]; }
  const TissueLanes& operator[](int i) const { return lanes[std::size_t(i)]; }
  double* numbers() { return reinterpret_cast<double*>(lanes.data()); }
  const double* numbers() const { return reinterpret_cast<const double*>(lanes.data()); }
};

/// Aligned copies of the plan's conditions p_r, one per call of solveTissues.
template <int V>
struct TissueConstants {
  static constexpr int kTile = 3;  ///< vectors processed together: rows are whole tiles
  static constexpr int kVectors = (V + kTile * kTissueLanes - 1) / (kTile * kTissueLanes) * kTile,
                       kStride = kVectors * kTissueLanes;
  TissueNumbers<kTissueRows * kStride> rows{};
  TissueNumbers<V * kCsdPaddedRows> transposed{};

  explicit TissueConstants(const TissuePlan& plan) {
    for (int r = 0; r < kTissueRows; ++r)
      for (int j = 0; j < V; ++j)
        rows.numbers()[r * kStride + j] = transposed.numbers()[j * kCsdPaddedRows + r] =
            plan.constraints[std::size_t(r) * std::size_t(csdStride(V)) + std::size_t(j)];
  }
};

/// The conditions and the linear algebra of one voxel; see solveTissueVoxel in tissue_kernel.h.
template <int V>
class TissueLanesVoxel {
  using Constants = TissueConstants<V>;
  static constexpr int kTile = Constants::kTile, kVectors = Constants::kVectors, kStride = Constants::kStride,
                       kRowVectors = kCsdPaddedRows / kTissueLanes;
  using Vector = TissueNumbers<kStride>;

 public:
  static constexpr int kConditions = kTissueRows;

  explicit TissueLanesVoxel(const Constants& constants) : c_(constants) {}

  /// Starts with a voxel, at y = 0.
  void start(const float* y0) {
    left_ = {};
    std::copy(y0, y0 + V, left_.numbers());
  }
  /// y₀ − y
  const double* left() const { return left_.numbers(); }

  double length() const {
    double sum = 0;
    for (int j = 0; j < V; ++j) sum += left()[j] * left()[j];
    return std::sqrt(sum);
  }
  template <class Change>
  void forEach(const Change& change) {
    for (auto& condition : conditions_) change(condition);
  }
  template <class Of>
  double sum(const Of& of) const {
    double sum = 0;
    for (const auto& condition : conditions_) sum += of(condition);
    return sum;
  }
  template <class Of>
  double largest(const Of& of) const {
    double largest = 0;
    for (const auto& condition : conditions_) largest = std::max(largest, of(condition));
    return largest;
  }

  /// I + Σ weight() p_r p_rᵀ = RᵀR, R upper triangular with inverted diagonal. Only the upper triangle is
  /// computed, in each row from the vector that holds the diagonal.
  void factor() {
    r_ = {};
    for (int j = 0; j < V; ++j) r_.numbers()[j * kStride + j] = 1;
    for (int first = 0; first < kTissueRows; first += kBlock)
      addRows(first, std::min(kBlock, kTissueRows - first));
    factorFrom<0>();
  }
  template <class Right, class Take>
  void solve(const Right& right, const Take& take) {
    for (int r = 0; r < kTissueRows; ++r) products_.numbers()[r] = right(conditions_[std::size_t(r)]);
    addProducts();
    solveFactored(step_.numbers());
    multiplyRows();
    for (int r = 0; r < kTissueRows; ++r) take(conditions_[std::size_t(r)], products_.numbers()[r]);
  }
  void advance(double t) {
    for (int v = 0; v < kVectors; ++v) left_[v] -= t * step_[v];
  }

 private:
  static constexpr int kBlock = 32;  // rows p_r that fit into the level-1 cache

  /// Adds weight() p_r p_rᵀ of some rows.
  void addRows(int first, int count) {
    for (int r = 0; r < count; ++r) {
      const double weight = conditions_[std::size_t(first) + std::size_t(r)].weight();
      for (int v = 0; v < kVectors; ++v)
        weighted_[r * kVectors + v] = weight * c_.rows[(first + r) * kVectors + v];
    }
    for (int i = 0; i < V; i += 4)
      for (int v = i / (kTile * kTissueLanes) * kTile; v < kVectors; v += kTile) addTile(first, count, i, v);
  }
  /// Updates the vectors of a tile, starting at v, in four rows of the matrix, starting at i: uses 12 of 16
  /// registers.
  void addTile(int first, int count, int i, int v) {
    TissueLanes sum[4][kTile] = {};
    for (int r = 0; r < count; ++r) {
      const double* weights = weighted_.numbers() + r * kStride + i;
      const TissueLanes* p = &c_.rows[(first + r) * kVectors + v];
#pragma GCC unroll 4
      for (int row = 0; row < 4; ++row)
#pragma GCC unroll 3
        for (int n = 0; n < kTile; ++n) sum[row][n] += weights[row] * p[n];
    }
#pragma GCC unroll 4
    for (int row = 0; row < 4; ++row)
#pragma GCC unroll 3
      for (int n = 0; n < kTile; ++n) r_[(i + row) * kVectors + v + n] += sum[row][n];
  }

  /// step = y₀ − y + Σ products_r p_r
  void addProducts() {
    constexpr int kAtOnce = kVectors % (2 * kTile) == 0 ? 2 * kTile : kTile;
    for (int first = 0; first < kVectors; first += kAtOnce) {
      TissueLanes sum[kAtOnce];
      for (int v = 0; v < kAtOnce; ++v) sum[v] = left_[first + v];
      for (int r = 0; r < kTissueRows; ++r)
#pragma GCC unroll 6
        for (int v = 0; v < kAtOnce; ++v)
          sum[v] += products_.numbers()[r] * c_.rows[r * kVectors + first + v];
      for (int v = 0; v < kAtOnce; ++v) step_[first + v] = sum[v];
    }
  }

  template <int First>
  void factorFrom() {
    constexpr int n = kVectors - First;
    double* r = r_.numbers();
    for (int k = First * kTissueLanes; k < std::min(V, (First + 1) * kTissueLanes); ++k) {
      const double inverse = 1 / std::sqrt(r[k * kStride + k]);
      TissueLanes row[n];
      for (int v = 0; v < n; ++v)
        row[v] = r_[k * kVectors + First + v] = inverse * r_[k * kVectors + First + v];
      for (int i = k + 1; i < V; ++i) {
        const double weight = r[k * kStride + i];
        for (int v = i / kTissueLanes - First; v < n; ++v) r_[i * kVectors + First + v] -= weight * row[v];
      }
      r[k * kStride + k] = inverse;
    }
    if constexpr (First + 1 < kVectors) factorFrom<First + 1>();
  }

  /// x = (RᵀR)⁻¹ x
  void solveFactored(double* x) const {
    const double* r = r_.numbers();
    for (int k = 0; k < V; ++k) {
      const double* row = r + k * kStride;
      x[k] *= row[k];
      for (int j = k + 1; j < V; ++j) x[j] -= x[k] * row[j];
    }
    for (int k = V - 1; k >= 0; --k) {
      const double* row = r + k * kStride;
      double sum = 0;
      for (int j = k + 1; j < V; ++j) sum += row[j] * x[j];
      x[k] = (x[k] - sum) * row[k];
    }
  }

  /// p_r · d of all rows.
  void multiplyRows() {
    constexpr int kAtOnce = 8;
    const double* d = step_.numbers();
    for (int first = 0; first < kRowVectors; first += kAtOnce) {
      const int n = std::min(kAtOnce, kRowVectors - first);
      TissueLanes sum[kAtOnce] = {};
      if (n == kAtOnce)
        for (int j = 0; j < V; ++j)
          for (int v = 0; v < kAtOnce; ++v) sum[v] += d[j] * c_.transposed[j * kRowVectors + first + v];
      else
        for (int j = 0; j < V; ++j)
          for (int v = 0; v < n; ++v) sum[v] += d[j] * c_.transposed[j * kRowVectors + first + v];
      for (int v = 0; v < n; ++v) products_[first + v] = sum[v];
    }
  }

  const Constants& c_;
  Vector left_, step_;
  TissueNumbers<kStride * kStride> r_;  // rows beyond V are padding
  TissueNumbers<kBlock * kStride> weighted_;
  TissueNumbers<kCsdPaddedRows> products_;
  std::array<TissueCondition, kConditions> conditions_;
};

}  // namespace sulcus::fibers
