#pragma once

#include "core/fibers/csd.h"
#include "core/fibers/csd_body.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

// The deconvolution of one voxel on one thread with vector registers, in float or double.

namespace sulcus::fibers {

/// Eight floats or four doubles that the compiler keeps in one register.
using CsdFloats = float __attribute__((vector_size(32)));
using CsdDoubles = double __attribute__((vector_size(32)));
template <class Real>
using CsdLanes = std::conditional_t<std::is_same_v<Real, float>, CsdFloats, CsdDoubles>;

/// N numbers one after the other, which are also N / 8 or N / 4 lanes.
template <class Real, int N>
struct CsdNumbers {
  using Lanes = CsdLanes<Real>;
  static constexpr int kLanes = 32 / sizeof(Real);
  static_assert(N % kLanes == 0);
  std::array<Lanes, N / kLanes> lanes;

  Lanes& operator[](int i) { return lanes[i]; }
  const Lanes& operator[](int i) const { return lanes[i]; }
  Real* numbers() { return reinterpret_cast<Real*>(lanes.data()); }
  const Real* numbers() const { return reinterpret_cast<const Real*>(lanes.data()); }
};

/// Aligned copy of the plan's constants, one per call of solveCsd.
template <class Real, int U, int Rows>
struct CsdConstants {
  static constexpr int kLanes = 32 / sizeof(Real), kStride = csdStride(U), kVectors = kStride / kLanes;
  static constexpr int kRowVectors = kCsdPaddedRows / kLanes;
  CsdNumbers<Real, U * kStride> normal, normalAll;
  CsdNumbers<Real, Rows * kStride> constraints;
  CsdNumbers<Real, U * kCsdPaddedRows> transposed;

  template <class Plan>
  explicit CsdConstants(const Plan& plan) {
    copy(plan.normal, normal), copy(plan.normalAll, normalAll);
    copy(plan.constraints, constraints), copy(plan.constraintsTransposed, transposed);
  }

 private:
  template <int N>
  static void copy(const std::vector<Real>& from, CsdNumbers<Real, N>& to) {
    assert(from.size() == std::size_t(N));
    std::copy(from.begin(), from.end(), to.numbers());
  }
};

/// The linear algebra of one voxel on one thread; see solveCsd in csd_body.h.
template <class Real, int U, int Rows>
class CsdLanesVoxel {
  using C = CsdConstants<Real, U, Rows>;
  using Lanes = CsdLanes<Real>;
  using Vector = CsdNumbers<Real, C::kStride>;
  using RowValues = CsdNumbers<Real, kCsdPaddedRows>;
  static constexpr int V = C::kVectors, R = C::kRowVectors, kLanes = C::kLanes;

 public:
  CsdLanesVoxel(const C& constants, const Real* right, Real* fibers)
      : c_(constants), right_(right), f_(fibers) {}

  void evaluate() { multiplyConstraints(f_, values_); }

  int updateActiveSet() {
    const Real* values = values_.numbers();
    std::array<std::int16_t, Rows> entering, leaving;
    int entered = 0, left = 0, count = 0;
    for (int r = 0; r < Rows; ++r) {
      const bool active = values[r] < 0;
      if (active) ++count;
      if (active && !active_[r]) entering[entered++] = std::int16_t(r);
      if (!active && active_[r]) leaving[left++] = std::int16_t(r);
      active_[r] = active;
    }
    if (first_ && 2 * count > Rows) {  // fewer rows to subtract from all than to add to none
      h_ = c_.normalAll;
      left = 0;
      for (int r = 0; r < Rows; ++r)
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

  Real bestStep() const {
    Vector smooth;  // −(smooth part of the gradient)
    smoothNegativeGradient(smooth);
    const Real* d = d_.numbers();
    const Real* normal = c_.normal.numbers();
    Real start = 0, curvature = 0;
    for (int i = 0; i < U; ++i) {
      start -= d[i] * smooth.numbers()[i];
      for (int j = 0; j < U; ++j) curvature += d[i] * d[j] * normal[i * C::kStride + j];
    }
    const Real* values = values_.numbers();
    const Real* slopes = slopes_.numbers();
    const auto derivative = [&](Real t) {
      Real sum = start + t * curvature;
      for (int r = 0; r < Rows; ++r) sum += std::min(values[r] + t * slopes[r], Real(0)) * slopes[r];
      return sum;
    };
    return bestCsdStep<Real>(derivative);
  }

  void advance(Real t) {
    const Real* d = d_.numbers();
    for (int j = 0; j < C::kStride; ++j) f_[j] += t * d[j];
    for (int v = 0; v < R; ++v) values_[v] += t * slopes_[v];
  }

  Real updateMultipliers() {
    RowValues products;
    multiplyConstraints(f_, products);
    Real* values = values_.numbers();
    Real largest = 0;
    for (int r = 0; r < Rows; ++r) {
      const Real multiplier = std::max(-values[r], Real(0)), product = products.numbers()[r];
      largest = std::max(largest, std::abs(std::min(product, multiplier)));
      values[r] = product - multiplier;
    }
    return largest;
  }

 private:
  /// out_r = b_r · x for all directions.
  void multiplyConstraints(const Real* x, RowValues& out) const {
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

  /// H += sign Σ b_r bᵀ_r over the rows. Only the upper triangle is computed, in each row from the vector on
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
        const Real* weights = c_.constraints.numbers() + rows[r] * C::kStride;
        const Real w0 = weights[i], w1 = weights[i + 1];  // the padding makes i + 1 readable
#pragma GCC unroll 8
        for (int v = 0; v < n; ++v) {
          upper[v] += w0 * b[First + v];
          lower[v] += w1 * b[First + v];
        }
      }
      for (int v = 0; v < n; ++v) h_[i * V + First + v] += Real(Sign) * upper[v];
      if (i + 1 < U)
        for (int v = 0; v < n; ++v) h_[(i + 1) * V + First + v] += Real(Sign) * lower[v];
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
    const Real* values = values_.numbers();
    for (int r = 0; r < Rows; ++r)
      if (active_[r])
        for (int v = 0; v < V; ++v) g[v] -= values[r] * c_.constraints[r * V + v];
  }

  /// H = RᵀR, R upper triangular with its diagonal inverted.
  void factor() {
    r_ = h_;
    factorFrom<0>();
  }
  template <int First>
  void factorFrom() {
    constexpr int n = V - First;
    Real* r = r_.numbers();
    for (int k = First * kLanes; k < std::min(U, (First + 1) * kLanes); ++k) {
      const Real inverse = 1 / std::sqrt(r[k * C::kStride + k]);
      Lanes row[n];
      for (int v = 0; v < n; ++v) row[v] = r_[k * V + First + v] = inverse * r_[k * V + First + v];
      for (int i = k + 1; i < U; ++i) {
        const Real w = r[k * C::kStride + i];
#pragma GCC unroll 8
        for (int v = 0; v < n; ++v) r_[i * V + First + v] -= w * row[v];
      }
      r[k * C::kStride + k] = inverse;
    }
    if constexpr (First + 1 < V) factorFrom<First + 1>();
  }

  /// x = H⁻¹ x.
  void solve(Real* x) const {
    const Real* r = r_.numbers();
    for (int k = 0; k < U; ++k) {
      const Real* row = r + k * C::kStride;
      x[k] *= row[k];
      for (int j = k + 1; j < U; ++j) x[j] -= x[k] * row[j];
    }
    for (int k = U - 1; k >= 0; --k) {
      const Real* row = r + k * C::kStride;
      Lanes sum = {};
      Real head = 0;
      int j = k + 1;
      for (; j < U && j % kLanes; ++j) head += row[j] * x[j];
      for (; j < U; j += kLanes)
        sum += reinterpret_cast<const Lanes&>(row[j]) * reinterpret_cast<const Lanes&>(x[j]);
      for (int lane = 0; lane < kLanes; ++lane) head += sum[lane];
      x[k] = (x[k] - head) * row[k];
    }
  }

  const C& c_;
  const Real* right_;
  Real* f_;
  CsdNumbers<Real, U * C::kStride> h_, r_;
  RowValues values_, slopes_;
  Vector d_;
  std::array<bool, Rows> active_{};
  bool first_ = true;
  bool isChanged_ = false;  ///< H, since it was factored
};

}  // namespace sulcus::fibers
