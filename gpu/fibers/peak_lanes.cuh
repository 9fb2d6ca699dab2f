#pragma once

#include "core/fibers/peaks/eigenpairs_kernel.h"
#include "core/fibers/peaks/peaks_kernel.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/memory_access.cuh"

// One start on one lane of a warp: what it keeps in registers and how it steps. For nvcc only.

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
  float tolerance;
  int maxIterations;
};

/// Blocks of 128 that should fit on a multiprocessor, which sets the registers of a lane.
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

/// The body that the CPU runs, one number wide.
template <int Order, bool Adaptive>
class NewtonLane {
 public:
  /// Lanes that must be idle before a warp stops stepping to give them new starts: a stop costs about half a
  /// step.
  static constexpr int kRefill = 8;
  static constexpr int kBlocks = blocksOfOrder(Order);

  __device__ explicit NewtonLane(const LaneRules& rules) : search_(Vec3<float>{1, 0, 0}) {
    rules_.shift = Adaptive ? ShiftRule::adaptive : ShiftRule::fixed;
    rules_.tolerance = rules.tolerance;
    rules_.maxIterations = float(rules.maxIterations);
  }

  /// Begins the search of a voxel from a direction.
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
  /// Evaluates the form once; then `done` says whether the search is finished.
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

}  // namespace sulcus::gpu::fibers
