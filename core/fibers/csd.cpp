#include "core/fibers/csd.h"

#include "core/fibers/csd_body.h"
#include "core/fibers/spherical_harmonics.h"
#include "core/fibers/starts.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <memory>
#include <numbers>

namespace sulcus::fibers {
namespace {

// Relative to the response, so that they do not depend on the scale of the signal.
constexpr double kNonNegativity = 50.0;  // b_r = this · r_0 / kCsdDirections · harmonics
constexpr double kMinimumNorm = 2e-4;    // ε² over the first element of AᵀA
constexpr int kStartOrder = 4;           // of the linear fit

/// Eight floats that the compiler keeps in one register.
using Lanes = float __attribute__((vector_size(32)));
constexpr int kLanes = 8;

/// N of them, which are also kLanes · N floats one after the other.
template <int N>
struct Vectors {
  std::array<Lanes, N> lanes;

  Lanes& operator[](int i) { return lanes[i]; }
  const Lanes& operator[](int i) const { return lanes[i]; }
  float* floats() { return reinterpret_cast<float*>(lanes.data()); }
  const float* floats() const { return reinterpret_cast<const float*>(lanes.data()); }
};

/// Eight neighbouring floats, aligned to 32 bytes.
const Lanes& lanesAt(const float* floats) { return *reinterpret_cast<const Lanes*>(floats); }

std::vector<float> padded(const Eigen::MatrixXd& matrix, int stride) {
  std::vector<float> values(std::size_t(matrix.rows()) * stride, 0.0f);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      values[std::size_t(i * stride + j)] = float(matrix(i, j));
  return values;
}

/// Aligned copy of the plan's constants, one per call of solveCsd.
template <int U>
struct Constants {
  static constexpr int kStride = csdStride(U), kVectors = kStride / kLanes;
  static constexpr int kRowVectors = kCsdPaddedDirections / kLanes;
  Vectors<U * kVectors> normal, normalAll;
  Vectors<kCsdDirections * kVectors> constraints;
  Vectors<U * kRowVectors> transposed;

  explicit Constants(const CsdPlan& plan) {
    copy(plan.normal, normal), copy(plan.normalAll, normalAll);
    copy(plan.constraints, constraints), copy(plan.constraintsTransposed, transposed);
  }

 private:
  template <int N>
  static void copy(const std::vector<float>& from, Vectors<N>& to) {
    assert(from.size() == std::size_t(N) * kLanes);
    std::copy(from.begin(), from.end(), to.floats());
  }
};

/// The linear algebra of one voxel on one thread; see solveCsd in csd_body.h.
template <int U>
class CpuVoxel {
  using C = Constants<U>;
  static constexpr int V = C::kVectors, R = C::kRowVectors;

 public:
  CpuVoxel(const C& constants, const float* right, float* fibers)
      : c_(constants), right_(right), f_(fibers) {}

  void evaluate() { multiplyConstraints(f_, values_); }

  int updateActiveSet() {
    const float* values = values_.floats();
    std::array<std::int16_t, kCsdDirections> entering, leaving;
    int entered = 0, left = 0, count = 0;
    for (int r = 0; r < kCsdDirections; ++r) {
      const bool active = values[r] < 0;
      if (active) ++count;
      if (active && !active_[r]) entering[entered++] = std::int16_t(r);
      if (!active && active_[r]) leaving[left++] = std::int16_t(r);
      active_[r] = active;
    }
    if (first_ && 2 * count > kCsdDirections) {  // fewer rows to subtract from all than to add to none
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
    first_ = false;
    return entered + left;
  }

  void step() {
    Vectors<V> gradient;
    negativeGradient(gradient);
    factor();
    solve(gradient.floats());
    d_ = gradient;
    multiplyConstraints(d_.floats(), slopes_);
  }

  float bestStep() const {
    Vectors<V> smooth;  // −(smooth part of the gradient)
    smoothNegativeGradient(smooth);
    const float* d = d_.floats();
    const float* normal = c_.normal.floats();
    float start = 0, curvature = 0;
    for (int i = 0; i < U; ++i) {
      start -= d[i] * smooth.floats()[i];
      for (int j = 0; j < U; ++j) curvature += d[i] * d[j] * normal[i * C::kStride + j];
    }
    const float* values = values_.floats();
    const float* slopes = slopes_.floats();
    const auto derivative = [&](float t) {
      float sum = start + t * curvature;
      for (int r = 0; r < kCsdDirections; ++r) sum += std::min(values[r] + t * slopes[r], 0.0f) * slopes[r];
      return sum;
    };
    return bestCsdStep(derivative);
  }

  void advance(float t) {
    const float* d = d_.floats();
    for (int j = 0; j < C::kStride; ++j) f_[j] += t * d[j];
    for (int v = 0; v < R; ++v) values_[v] += t * slopes_[v];
  }

 private:
  /// out_r = b_r · x for all directions.
  void multiplyConstraints(const float* x, Vectors<R>& out) const {
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
        const float* weights = c_.constraints.floats() + rows[r] * C::kStride;
        const float w0 = weights[i], w1 = weights[i + 1];  // the padding makes i + 1 readable
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

  void smoothNegativeGradient(Vectors<V>& g) const {
    std::copy(right_, right_ + C::kStride, g.floats());
    for (int j = 0; j < U; ++j)
      for (int v = 0; v < V; ++v) g[v] -= f_[j] * c_.normal[j * V + v];
  }
  void negativeGradient(Vectors<V>& g) const {
    smoothNegativeGradient(g);
    const float* values = values_.floats();
    for (int r = 0; r < kCsdDirections; ++r)
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
    float* r = r_.floats();
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
    const float* r = r_.floats();
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
      for (; j < U; j += kLanes) sum += lanesAt(row + j) * lanesAt(x + j);
      for (int lane = 0; lane < kLanes; ++lane) head += sum[lane];
      x[k] = (x[k] - head) * row[k];
    }
  }

  const C& c_;
  const float* right_;
  float* f_;
  Vectors<U * V> h_, r_;
  Vectors<R> values_, slopes_;
  Vectors<V> d_;
  std::array<bool, kCsdDirections> active_{};
  bool first_ = true;
};

template <int U>
std::int64_t solveAll(const CsdPlan& plan, int count, const float* right, float* fibers) {
  const auto constants = std::make_unique<Constants<U>>(plan);
  std::int64_t steps = 0;
  for (int i = 0; i < count; ++i) {
    CpuVoxel<U> voxel(*constants, right + i * csdStride(U), fibers + i * csdStride(U));
    steps += solveCsd(voxel);
  }
  return steps;
}

/// √(4π/(2l+1)) r_l for every harmonic (U values): what convolution with the response multiplies it with.
Eigen::VectorXd convolution(int order, const std::vector<double>& response) {
  Eigen::VectorXd factors(tensorEntries(order));
  for (int l = 0; l <= order; l += 2)
    for (int m = -l; m <= l; ++m)
      factors[shIndex(l, m)] = std::sqrt(4 * std::numbers::pi / (2 * l + 1)) * response[std::size_t(l / 2)];
  return factors;
}

}  // namespace

CsdPlan planCsd(int order, const std::vector<double>& response, std::span<const Vec3<double>> directions) {
  const int entries = tensorEntries(order), stride = csdStride(entries);
  const Eigen::MatrixXd convolve = shMatrix(order, directions) * convolution(order, response).asDiagonal();
  Eigen::MatrixXd normal = convolve.transpose() * convolve;
  normal.diagonal().array() += kMinimumNorm * normal(0, 0);
  static const auto constraintDirections = evenDirections(kCsdDirections);  // takes some ms
  const Eigen::MatrixXd constraints =
      kNonNegativity * response[0] / kCsdDirections * shMatrix(order, constraintDirections);

  const int startEntries = tensorEntries(std::min(order, kStartOrder));
  Eigen::MatrixXd start = Eigen::MatrixXd::Zero(entries, Eigen::Index(directions.size()));
  start.topRows(startEntries) =
      solvePositiveDefinite(normal.topLeftCorner(startEntries, startEntries),
                            Eigen::MatrixXd(convolve.leftCols(startEntries).transpose()));

  CsdPlan plan;
  plan.order = order;
  plan.response = response;
  plan.projection = padded(convolve.transpose(), int(directions.size()));
  plan.predict = padded(convolve, entries);
  plan.start = padded(start, int(directions.size()));
  plan.normal = padded(normal, stride);
  plan.normalAll = padded(normal + constraints.transpose() * constraints, stride);
  plan.constraints = padded(constraints, stride);
  plan.constraintsTransposed = padded(constraints.transpose(), kCsdPaddedDirections);
  return plan;
}

std::int64_t solveCsd(const CsdPlan& plan, int count, const float* right, float* fibers) {
  return withOrder(plan.order,
                   [&](auto order) { return solveAll<tensorEntries(order)>(plan, count, right, fibers); });
}

std::vector<double> fitResponse(int order, std::span<const Vec3<double>> directions,
                                std::span<const ResponseSample> samples, const Progress& progress) {
  const int terms = order / 2 + 1;
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(terms, terms);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(terms);
  Eigen::VectorXd zonal(terms);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const auto& sample = samples[s];
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const double z = dot(directions[i], sample.axis);  // of the gradient, with the fiber along z
      for (int l = 0; l <= order; l += 2) zonal[l / 2] = zonalHarmonic(l, z);
      normal += zonal * zonal.transpose();
      right += double(sample.ratios[i]) * zonal;
    }
    progress.update(double(s + 1) / double(samples.size()));
  }
  const Eigen::VectorXd response = solvePositiveDefinite(normal, right);
  return {response.data(), response.data() + terms};
}

}  // namespace sulcus::fibers
