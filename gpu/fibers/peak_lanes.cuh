#pragma once

#include "core/fibers/peaks/eigenpairs_kernel.h"
#include "core/fibers/peaks/general_tensor_kernel.h"
#include "core/fibers/peaks/peaks_kernel.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/memory_access.cuh"

// One start on one lane of a warp: what it keeps in registers and how it steps. For nvcc only.
//
// A lane type has
//   load(voxel, start)   begins the search of a voxel from a direction
//   step()               one evaluation of the form; `done` afterwards when the search is finished
//   end()                where it ended, polished and classified
//   kRefill              lanes that must be idle before a warp stops stepping to give them new starts: each
//                        stop costs about half a step
//   kSteps               steps between two looks at who is idle
//   kBlocks              blocks of 128 that should fit on a multiprocessor: sets the registers per lane

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;

/// Length of a voxel's entries, rounded up so that they are read as float4.
constexpr int paddedEntries(int order) { return roundedUp(tensorEntries(order), 4); }
/// Floats of a voxel as the search reads it. First what its entries were divided by so that the largest is in
/// [½, 1) (0: nothing to search, NaN: not finite), norm and alpha of its SearchRules and an unused one; then
/// the entries.
constexpr int preparedFloats(int order) { return 4 + paddedEntries(order); }

/// Where a search ended, 16 bytes; x = 0: not a maximum.
struct alignas(16) LaneEnd {
  Vec3<float> x;
  float value;
};

struct LaneRules {
  ShiftRule shift;
  float tolerance;
  int maxIterations;
  int order;  ///< of the form whose order is not known at compile time
};

/// See kBlocks above.
constexpr int blocksOfOrder(int order) { return order <= 4 ? 6 : 8 - order / 2; }
static_assert(blocksOfOrder(12) == 2);

template <int Order>
__device__ void loadEntries(const float* voxel, float* entries) {
  constexpr int U = tensorEntries(Order);
#pragma unroll
  for (int i = 0; i < paddedEntries(Order) / 4; ++i) {
    const float4 four = loadFourReadOnly(voxel + 4 + 4 * i);
    entries[4 * i] = four.x;
    if (4 * i + 1 < U) entries[4 * i + 1] = four.y;
    if (4 * i + 2 < U) entries[4 * i + 2] = four.z;
    if (4 * i + 3 < U) entries[4 * i + 3] = four.w;
  }
}

/// The search with a Newton finish: the body that the CPU runs, one number wide.
template <int Order, bool Adaptive>
class NewtonLane {
 public:
  static constexpr int kRefill = 8, kSteps = 1, kBlocks = blocksOfOrder(Order);

  __device__ explicit NewtonLane(const LaneRules& rules) : search_(Vec3<float>{1, 0, 0}) {
    rules_.newton = true;
    rules_.shift = Adaptive ? ShiftRule::adaptive : ShiftRule::fixed;
    rules_.tolerance = rules.tolerance;
    rules_.maxIterations = float(rules.maxIterations);
  }

  __device__ void load(const float* voxel, const Vec3<float>& start) {
    const float4 header = loadFourReadOnly(voxel);
    rules_.norm = header.y;
    rules_.alpha = header.z;
    loadEntries<Order>(voxel, entries_);
    search_ = Search<float>(start);
    done = !(header.y > 0);  // nothing there: counts as converged to no maximum after no step
    converged_ = done;
    maximum_ = false;
  }
  __device__ void step() {
    const auto status = searchStep<Order>(entries_, rules_, search_);
    done = status.finished;
    converged_ = status.converged;
    maximum_ = status.maximum;
  }
  __device__ LaneEnd end() const { return {maximum_ ? search_.x : Vec3<float>{}, search_.value}; }
  __device__ bool converged() const { return converged_; }
  __device__ float startValue() const { return search_.startValue; }
  __device__ int iterations() const { return int(search_.iterations); }

  bool done = true;

 private:
  SearchRules<float> rules_;
  Search<float> search_;
  float entries_[tensorEntries(Order)];
  bool converged_ = false, maximum_ = false;
};

/// A form with everything about its index classes known at compile time, in registers.
template <int Order>
struct UnrolledForm {
  static constexpr int kBlocks = blocksOfOrder(Order);
  float entries[tensorEntries(Order)];

  __device__ explicit UnrolledForm(const LaneRules&) {}
  __device__ void load(const float* voxel) { loadEntries<Order>(voxel, entries); }
  __device__ int order() const { return Order; }
  /// A x^(m−2).
  __device__ SymMat3<float> matrix(const Vec3<float>& x) const { return tensorMatrix<Order>(entries, x); }
  /// A x^(m−1).
  __device__ Vec3<float> gradient(const Vec3<float>& x) const { return matrix(x) * x; }
};

/// A form whose order is known at run time only: the published loops over the index classes, entries in
/// memory.
struct GeneralForm {
  static constexpr int kBlocks = 4;
  const float* entries = nullptr;
  int order_;

  __device__ explicit GeneralForm(const LaneRules& rules) : order_(rules.order) {}
  __device__ void load(const float* voxel) { entries = voxel + 4; }
  __device__ int order() const { return order_; }
  __device__ SymMat3<float> matrix(const Vec3<float>& x) const {
    const float numbers[3] = {x.x, x.y, x.z};
    float m[9];
    generalMatrix(entries, order_, 3, numbers, m);
    return {m[0], m[1], m[2], m[4], m[5], m[8]};
  }
  __device__ Vec3<float> gradient(const Vec3<float>& x) const {
    const float numbers[3] = {x.x, x.y, x.z};
    float y[3];
    generalGradient(entries, order_, 3, numbers, y);
    return {y[0], y[1], y[2]};
  }
};

/// The power method alone. The hand-tuned twin of searchStep() without Newton: curvatures are computed once,
/// where it ended, so that a step costs half as much.
template <class Form, bool Adaptive>
class PowerLane {
 public:
  static constexpr int kRefill = 12, kSteps = 2, kBlocks = Form::kBlocks;

  __device__ explicit PowerLane(const LaneRules& rules)
      : form_(rules), tolerance2_(rules.tolerance * rules.tolerance), maxIterations_(rules.maxIterations) {}

  __device__ void load(const float* voxel, const Vec3<float>& start) {
    const float4 header = loadFourReadOnly(voxel);
    norm_ = header.y;
    alpha_ = header.z;
    form_.load(voxel);
    x_ = from_ = start;
    value_ = -1e30f;
    iterations_ = 0;
    done = converged_ = !(norm_ > 0);  // nothing there: counts as converged to no maximum after no step
  }

  __device__ void step() {
    Vec3<float> y;
    float alpha = alpha_;
    if constexpr (Adaptive) {
      const SymMat3<float> m = form_.matrix(x_);
      y = m * x_;
      alpha = adaptiveShift(m, float(form_.order() - 1), norm_);
    } else {
      y = form_.gradient(x_);
    }
    Vec3<float> z{fmaf(alpha, x_.x, y.x), fmaf(alpha, x_.y, y.y), fmaf(alpha, x_.z, y.z)};
    const float shifted = dot(x_, z);
    if (iterations_++ == 0) startValue_ = shifted - alpha;
    bool lowered = false;
    if constexpr (Adaptive) {  // a step that lowered the form is halved
      const float value = shifted - alpha;
      const Vec3<float> back = x_ - from_;
      lowered = isLowered(value, value_, dot(back, back), norm_, tolerance2_);
      if (lowered) {
        z = from_ + x_;
      } else {
        from_ = x_;
        value_ = value;
      }
    }
    const float scale = copysignf(rsqrtf(dot(z, z)), lowered ? 1.0f : shifted);
    const Vec3<float> next = scale * z, move = next - x_;
    x_ = next;
    // To first order (value + α) · move is the gradient on the sphere, below rounding it tells nothing.
    const float move2 = dot(move, move), noise = roundingOf(norm_);
    converged_ = !lowered && (move2 < tolerance2_ || move2 * shifted * shifted < noise * noise);
    done = converged_ || iterations_ >= maxIterations_;
  }

  /// Where it ended, after one Newton step on the sphere where that is a maximum.
  __device__ LaneEnd end() const {
    const float k = float(form_.order() - 1);
    const SymMat3<float> a = form_.matrix(x_);
    const Vec3<float> y = a * x_;
    const float value = dot(x_, y);
    const Curvature<float> curvature(a, x_, value, k);
    if (!converged_ || !curvature.isMaximum(norm_)) return {{}, value};
    const Vec3<float> r = y - value * x_;
    const Vec3<float> d = curvature.newtonStep(x_, r, dot(r, r), 1 / curvature.product);
    const Vec3<float> x = x_ + d;
    return {rsqrtf(dot(x, x)) * x, value + newtonGain(r, d, k)};
  }
  __device__ bool converged() const { return converged_; }
  __device__ float startValue() const { return startValue_; }
  __device__ int iterations() const { return iterations_; }

  bool done = true;

 private:
  Form form_;
  float norm_ = 1, alpha_ = 0, tolerance2_, value_ = 0, startValue_ = 0;
  int maxIterations_, iterations_ = 0;
  bool converged_ = false;
  Vec3<float> x_{1, 0, 0}, from_{1, 0, 0};
};

}  // namespace sulcus::gpu::fibers
