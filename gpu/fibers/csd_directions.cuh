#pragma once

#include "core/fibers/deconvolution/csd.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/warp.cuh"

namespace sulcus::gpu::fibers {

/// The directions of one voxel on one warp: b_r · f, its slope along the step, and which are active.
///
/// Lane i holds the directions i, i + 32, i + 64, …
class LaneDirections {
 public:
  static constexpr int kPerLane = ceilDivide(sulcus::fibers::kCsdDirections, kWarpSize);

  /// The active directions that changes are made to: those of the step before, or, the first time, none, or
  /// all where fewer have to be taken away.
  enum class Start { before, none, all };

  float values[kPerLane], slopes[kPerLane];

  __device__ int direction(int k) const { return ownLane() + kWarpSize * k; }
  __device__ bool holds(int k) const { return direction(k) < sulcus::fibers::kCsdDirections; }
  /// The lane's k-th direction; the last lanes repeat the last one, unused.
  __device__ int held(int k) const { return min(direction(k), sulcus::fibers::kCsdDirections - 1); }

  /// Makes the negative directions the active ones.
  ///
  /// @param begin   `begin(start)` is called first, with what the changes are made to
  /// @param change  `change(direction, sign)` is called for each direction that enters (1) or leaves (−1)
  /// @return        their number
  template <class Begin, class Change>
  __device__ int updateActive(const Begin& begin, const Change& change) {
    unsigned all = 0, now = 0;
#pragma unroll
    for (int k = 0; k < kPerLane; ++k) {
      all |= unsigned(holds(k)) << k;
      now |= unsigned(holds(k) && values[k] < 0) << k;
    }
    Start start = Start::before;
    if (first_) {
      const bool most = 2 * int(sumOverLanes(float(__popc(now)))) > sulcus::fibers::kCsdDirections;
      start = most ? Start::all : Start::none;
      active_ = most ? all : 0;
      first_ = false;
    }
    begin(start);
    int changed = 0;
#pragma unroll 1
    for (int k = 0; k < kPerLane; ++k) {
      const unsigned entering = __ballot_sync(kAllLanes, (now & ~active_) >> k & 1);
      for (unsigned left = entering | __ballot_sync(kAllLanes, (active_ & ~now) >> k & 1); left;
           left &= left - 1) {
        const int source = __ffs(left) - 1;
        change(source + kWarpSize * k, entering >> source & 1 ? 1.0f : -1.0f);
        ++changed;
      }
    }
    active_ = now;
    return changed;
  }

  /// Calls `visit(direction, value)` for each active direction.
  template <class Visit>
  __device__ void forEachActive(const Visit& visit) const {
#pragma unroll
    for (int k = 0; k < kPerLane; ++k)
      for (unsigned left = __ballot_sync(kAllLanes, active_ >> k & 1); left; left &= left - 1) {
        const int source = __ffs(left) - 1;
        visit(source + kWarpSize * k, __shfl_sync(kAllLanes, values[k], source));
      }
  }

  /// Half the derivative along the step of the sum of the squared negative values, after a part t of it.
  __device__ float penaltySlope(float t) const {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kPerLane; ++k)
      if (holds(k)) sum += fminf(values[k] + t * slopes[k], 0.0f) * slopes[k];
    return sumOverLanes(sum);
  }

  __device__ void advance(float t) {
#pragma unroll
    for (int k = 0; k < kPerLane; ++k) values[k] += t * slopes[k];
  }

 private:
  unsigned active_ = 0;  ///< bit k: direction(k) is active
  bool first_ = true;
};

}  // namespace sulcus::gpu::fibers
