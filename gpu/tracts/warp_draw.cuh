#pragma once

#include "core/tracts/walk_kernel.h"
#include "gpu/runtime/warp.cuh"

namespace sulcus::gpu::tracts {

/// DrawOneByOne by the lanes of a warp, which all call it with the same arguments: each makes one proposal.
/// Weights are integers, so their sums are those of the CPU.
struct DrawByWarp {
  static_assert(sulcus::tracts::kProposals == kWarpSize);

  template <class Propose>
  SULCUS_HD_INLINE static bool draw(const Propose& propose, std::uint32_t word,
                                    sulcus::tracts::Proposal& chosen) {
#ifdef __CUDA_ARCH__
    const sulcus::tracts::Proposal own = propose(ownLane());
    const float largest = largestOverLanes(own.weight);
    if (!(largest > 0)) return false;
    std::uint32_t sum = sulcus::tracts::unitsOf(own.weight, largest);
#pragma unroll
    for (int distance = 1; distance < kWarpSize; distance *= 2) {
      const std::uint32_t below = __shfl_up_sync(kAllLanes, sum, distance);
      if (ownLane() >= distance) sum += below;
    }
    const std::uint32_t total = __shfl_sync(kAllLanes, sum, kWarpSize - 1);
    const auto target = std::uint32_t((std::uint64_t(word) * total) >> 32);
    const int first = __ffs(int(__ballot_sync(kAllLanes, sum > target))) - 1;
    const auto of = [&](float value) { return __shfl_sync(kAllLanes, value, first); };
    chosen = {{of(own.place.x), of(own.place.y), of(own.place.z)},
              {of(own.direction.x), of(own.direction.y), of(own.direction.z)},
              of(own.weight)};
    return true;
#else
    return false;
#endif
  }
};

}  // namespace sulcus::gpu::tracts
