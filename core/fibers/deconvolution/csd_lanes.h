#pragma once

#include "core/fibers/deconvolution/csd.h"
#include "core/fibers/deconvolution/csd_kernel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <vector>

// The deconvolution of one voxel on one thread with vector registers.

namespace sulcus::fibers {

/// Eight floats in one register.
using CsdLanes = float __attribute__((vector_size(32)));

/// N consecutive numbers, accessible as N / 8 lanes.
template <int N>
struct CsdNumbers {
  static constexpr int kLanes = 8;
  static_assert(N % kLanes == 0);
  std::array<CsdLanes, N / kLanes> lanes;

  CsdLanes& operator[](int i) { return lanes[i]; }
  const CsdLanes& operator[](int i) const { return lanes[i]; }
  float* numbers() { return reinterpret_cast<float*>(lanes.data()); }
  const float* numbers() const { return reinterpret_cast<const float*>(lanes.data()); }
};

/// Aligned copy of the plan's constants, one per call of solveCsd.
template <int U>
struct CsdConstants {
  static constexpr int kLanes = 8, kStride = csdStride(U), kVectors = kStride / kLanes;
  static constexpr int kRowVectors = kCsdPaddedRows / kLanes;
  CsdNumbers<U * kStride> normal, normalAll;
  CsdNumbers<kCsdDirections * kStride> constraints;
  CsdNumbers<U * kCsdPaddedRows> transposed;

  explicit CsdConstants(const CsdPlan& plan) {
    copy(plan.normal, normal), copy(plan.normalAll, normalAll);
    copy(plan.constraints, constraints), copy(plan.constraintsTransposed, transposed);
  }

 private:
  template <int N>
  static void copy(const std::vector<float>& from, CsdNumbers<N>& to) {
    assert(from.size() == std::size_t(N));
    std::copy(from.begin(), from.end(), to.numbers());
  }
};

/// The linear algebra of one voxel on one thread; see solveCsd in csd_kernel.h.
template <int U>
class CsdLanesVoxel {
  using C = CsdConstants<U>;
  using Lanes = CsdLanes;
  using Vector = CsdNumbers<C::kStride>;
  using RowValues = CsdNumbers<kCsdPaddedRows>;
  static constexpr int V = C::kVectors, R = C::kRowVectors, kLanes = C::kLanes;

 public:
  CsdLanesVoxel(const C& constants, const float* right, float* fibers)
      : c_(constants), right_(right), f_(fibers) {}

  void evaluate() { multiplyConstraints(f_, values_); }

  int updateActiveSet() {
    const float* values = values_.numbers();
    std::array<std::int16_t, kCsdDirections> entering, leaving;
    int entered = 0, left = 0, count = 0;
    for (int r = 0; r < kCsdDirections; ++r) {
      const bool active = values[r] < 0;
      if (active) ++count;
      if (active && !active_[r]) entering[entered++] = std::int16_t(r);
      if (!active && active_[r]) leaving[left++] = std::int16_t(r);
      active_[r] = active;
    }
    if (first_ && 2 * count > kCsdDirections) {  // subtracting rows from the sum of all takes fewer rows than
                                                 // adding to none
      h_ = c_.normalAll;
      left = 0;
      for (int r = 0; r < kCsdDirections; ++r)
        if (!active_[r]) leaving[left++] = std::int16_t(r);
      addRows<-1>(leaving.data(), left);
    } else {
      if (first_) h_ = c_.normal;
      addRows<1>(entering.data(), entered);
      addRows<-1>(leaving.data(), left);
    }
    isChanged_ = isChanged_ || first_ || entered + left > 0;
    first_ = false;
    return entered + left;
  }

  void step() {
    Vector gradient;
    negativeGradient(gradient);
    if (isChanged_) factor();
    isChanged_ = false;
    solve(gradient.numbers());
    d_ = gradient;
    multiplyConstraints(d_.numbers(), slopes_);
  }

  float bestStep() const {
    Vector smooth;  // −(smooth part of the gradient)
    smoothNegativeGradient(smooth);
    const float* d = d_.numbers();
    const float* normal = c_.normal.numbers();
    float start = 0, curvature = 0;
    for (int i = 0; i < U; ++i) {
      start -= d[i] * smooth.numbers()[i];
      for (int j = 0; j < U; ++j) curvature += d[i] * d[j] * normal[i * C::kStride + j];
    }
    const float* values = values_.numbers();
    const float* slopes = slopes_.numbers();
    const auto derivative = [&](float t) {
      float sum = start + t * curvature;
      for (int r = 0; r < kCsdDirections; ++r) sum += std::min(values[r] + t * slopes[r], 0.0f) * slopes[r];
      return sum;
    };
    return bestCsdStep(derivative);
  }

  void advance(float t) {
    const float* d = d_.numbers();
    for (int j = 0; j < C::kStride; ++j) f_[j] += t * d[j];
    for (int v = 0; v < R; ++v) values_[v] += t * slopes_[v];
  }

 private:
  /// out_r = b_r · x for all directions.
  void multiplyConstraints(const float* x, RowValues& out) const {
    constexpr int kBlock = 8;
    for (int v0 = 0; v0 < R; v0 += kBlock) {
      const int n = std::min(kBlock, R - v0);
      Lanes sum[kBlock] = {};
      if (n == kBlock)
        for (int j = 0; j < U; ++j)
          for (int v = 0; v < kBlock; ++v) sum[v] += x[j] * c_.transposed[j * R + v0 + v];
      else
        for (int j = 0; j < U; ++j)
          for (int v = 0; v < n; ++v) sum[v] += x[j] * c_.transposed[j * R + v0 + v];
      for (int v = 0; v < n; ++v) out[v0 + v] = sum[v];
    }
  }

  /// H += sign Σ b_r bᵀ_r over the rows. Only the upper triangle is computed, in each row from the vector
  /// that holds the diagonal.
  template <int Sign>
  void addRows(const std::int16_t* rows, int count) {
    if (count) addRowsFrom<Sign, 0>(rows, count);
  }
  template <int Sign, int First>
  void addRowsFrom(const std::int16_t* rows, int count) {
    constexpr int n = V - First;
    for (int i = First * kLanes; i < std::min(U, (First + 1) * kLanes); i += 2) {
      Lanes upper[n] = {}, lower[n] = {};
      for (int r = 0; r < count; ++r) {
        const Lanes* b = &c_.constraints[rows[r] * V];
        const float* weights = c_.constraints.numbers() + rows[r] * C::kStride;
        const float w0 = weights[i], w1 = weights[i + 1];  // padding makes i + 1 readable
#pragma GCC unroll 8
        for (int v = 0; v < n; ++v) {
          upper[v] += w0 * b[First + v];
          lower[v] += w1 * b[First + v];
        }
      }
      for (int v = 0; v < n; ++v) h_[i * V + First + v] += float(Sign) * upper[v];
      if (i + 1 < U)
        for (int v = 0; v < n; ++v) h_[(i + 1) * V + First + v] += float(Sign) * lower[v];
    }
    if constexpr (First + 1 < V) addRowsFrom<Sign, First + 1>(rows, count);
  }

  void smoothNegativeGradient(Vector& g) const {
    std::copy(right_, right_ + C::kStride, g.numbers());
    for (int j = 0; j < U; ++j)
      for (int v = 0; v < V; ++v) g[v] -= f_[j] * c_.normal[j * V + v];
  }
  void negativeGradient(Vector& g) const {
    smoothNegativeGradient(g);
    const float* values = values_.numbers();
    for (int r = 0; r < kCsdDirections; ++r)
      if (active_[r])
        for (int v = 0; v < V; ++v) g[v] -= values[r] * c_.constraints[r * V + v];
  }

  /// H = RᵀR, R upper triangular with inverted diagonal.
  void factor() {
    r_ = h_;
    factorFrom<0>();
  }
  template <int First>
  void factorFrom() {
    constexpr int n = V - First;
    float* r = r_.numbers();
    for (int k = First * kLanes; k < std::min(U, (First + 1) * kLanes); ++k) {
      const float inverse = 1 / std::sqrt(r[k * C::kStride + k]);
      Lanes row[n];
      for (int v = 0; v < n; ++v) row[v] = r_[k * V + First + v] = inverse * r_[k * V + First + v];
      for (int i = k + 1; i < U; ++i) {
        const float w = r[k * C::kStride + i];
#pragma GCC unroll 8
        for (int v = 0; v < n; ++v) r_[i * V + First + v] -= w * row[v];
      }
      r[k * C::kStride + k] = inverse;
    }
    if constexpr (First + 1 < V) factorFrom<First + 1>();
  }

  /// x = H⁻¹ x.
  void solve(float* x) const {
    const float* r = r_.numbers();
    for (int k = 0; k < U; ++k) {
      const float* row = r + k * C::kStride;
      x[k] *= row[k];
      for (int j = k + 1; j < U; ++j) x[j] -= x[k] * row[j];
    }
    for (int k = U - 1; k >= 0; --k) {
      const float* row = r + k * C::kStride;
      Lanes sum = {};
      float head = 0;
      int j = k + 1;
      for (; j < U && j % kLanes; ++j) head += row[j] * x[j];
      for (; j < U; j += kLanes)
        sum += reinterpret_cast<const Lanes&>(row[j]) * reinterpret_cast<const Lanes&>(x[j]);
      for (int lane = 0; lane < kLanes; ++lane) head += sum[lane];
      x[k] = (x[k] - head) * row[k];
    }
  }

  const C& c_;
  const float* right_;
  float* f_;
  CsdNumbers<U * C::kStride> h_, r_;
  RowValues values_, slopes_;
  Vector d_;
  std::array<bool, kCsdDirections> active_{};
  bool first_ = true;
  bool isChanged_ = false;  ///< whether H changed since it was factored
};

}  // namespace sulcus::fibers
