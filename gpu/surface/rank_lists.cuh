#pragma once

#include "core/surface/surface_body.h"

#include <cmath>
#include <cstdint>

// Lists of the best ranks, each looked after by one warp. For files compiled by nvcc only.

namespace sulcus::gpu {

inline constexpr int kIncoming = 128;  ///< ranks that are gathered before they are merged

namespace detail {

__device__ inline void sortPair(PatchRank& a, PatchRank& b, bool rising) {
  const PatchRank low = a, high = b;
  if (rising ? high < low : low < high) a = high, b = low;
}

/// A bitonic network over `size` ranks, a power of two: from runs of `from` / 2 that rise and fall in turn.
__device__ inline void sortRanks(PatchRank* ranks, int size, int from) {
  for (int sorted = from; sorted <= size; sorted *= 2)
    for (int apart = sorted / 2; apart > 0; apart /= 2) {
      for (int pair = threadIdx.x % 32; pair < size / 2; pair += 32) {
        const int a = 2 * apart * (pair / apart) + pair % apart;
        sortPair(ranks[a], ranks[a + apart], (a & sorted) == 0 || sorted == size);
      }
      __syncwarp();
    }
}

}  // namespace detail

/// A warp's list in shared memory: `kept` ranks in order and what comes in. All lanes call its functions.
struct RankList {
  PatchRank* gathered;  ///< kIncoming
  PatchRank* best;      ///< `kept`, a power of two of at least kIncoming
  int kept;
  int incoming;

  /// From memory, or empty.
  __device__ void load(const PatchRank* from) {
    for (int i = threadIdx.x % 32; i < kept; i += 32) best[i] = from ? from[i] : PatchRank{INFINITY, 0, 0};
    __syncwarp();
  }
  __device__ void save(PatchRank* to) const {
    for (int i = threadIdx.x % 32; i < kept; i += 32) to[i] = best[i];
  }
  /// A rank of each lane where `wanted`; there must be room for 32.
  __device__ void offer(const PatchRank& rank, bool wanted) {
    const unsigned all = __ballot_sync(0xffffffffu, wanted), lane = threadIdx.x % 32;
    if (wanted) gathered[incoming + __popc(all & ((1u << lane) - 1))] = rank;
    incoming += __popc(all);
    __syncwarp();
  }
  __device__ bool isFull() const { return incoming > kIncoming - 32; }

  /// Sorts what came in and keeps the best of all.
  __device__ void merge() {
    int size = 32;
    while (size < incoming) size *= 2;
    const int lane = threadIdx.x % 32;
    for (int i = incoming + lane; i < size; i += 32) gathered[i] = {INFINITY, 0, 0};
    __syncwarp();
    detail::sortRanks(gathered, size, 2);
    // The last of one against the first of the other: what is left rises and falls once.
    for (int i = lane; i < size; i += 32) {
      const PatchRank rank = gathered[size - 1 - i];
      if (rank < best[kept - size + i]) best[kept - size + i] = rank;
    }
    __syncwarp();
    detail::sortRanks(best, kept, kept);
    incoming = 0;
  }
};

}  // namespace sulcus::gpu
