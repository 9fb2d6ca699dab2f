#pragma once

#include "core/surface/surface_kernel.h"
#include "gpu/runtime/warp.cuh"

#include <cmath>
#include <cstdint>

// Lists of the best ranks, each looked after by one warp. For files compiled by nvcc only.

namespace sulcus::gpu::surface {
using namespace sulcus::surface;

inline constexpr int kIncoming = 64;  ///< ranks that are gathered before they are merged

/// What a warp keeps in shared memory: the list as it was last merged and what came in since.
struct RankRoom {
  float4 keys[kIncoming / 4];  ///< D in float of what came in, infinite for three more
  PatchRank incoming[kIncoming];
};

/// How many of the `incoming` ranks of a room are before this one of them.
__device__ inline int countBeforeIncoming(const PatchRank& rank, const RankRoom& room, int incoming) {
  const float key = float(rank.patch);
  const auto* const keys = reinterpret_cast<const float*>(room.keys);
  int before = 0, alike = 0;
  for (int k = 0; 4 * k < incoming; ++k) {
    const float4 four = room.keys[k];
    before += (four.x < key) + (four.y < key) + (four.z < key) + (four.w < key);
    alike += (four.x == key) + (four.y == key) + (four.z == key) + (four.w == key);
  }
  if (alike > 1)  // perhaps only in float
    for (int k = 0; k < incoming; ++k) before += keys[k] == key && room.incoming[k] < rank;
  return before;
}

/// How many of ranks in order are before this one.
__device__ inline int countBefore(const PatchRank& rank, const PatchRank* sorted, int count) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < rank)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Puts what came into a room at its places in the list `saved` of `kept` ranks and drops what falls out at
/// the end. `best` is room for another list. All lanes of a warp call it; it is not inlined, so that it takes
/// no registers from the loops around it.
inline __device__ __noinline__ void mergeInto(PatchRank* saved, PatchRank* best, int kept, RankRoom& room,
                                              int incoming) {
  constexpr int each = kIncoming / kWarpSize;
  const int lane = ownLane();
  for (int i = lane; i < kept; i += kWarpSize) best[i] = saved[i];
  if (lane < 4 && incoming + lane < kIncoming)
    reinterpret_cast<float*>(room.keys)[incoming + lane] = INFINITY;
  __syncwarp();
  PatchRank own[each];
  int places[each];
#pragma unroll
  for (int k = 0; k < each; ++k)
    if (const int i = lane + k * kWarpSize; i < incoming) {
      own[k] = room.incoming[i];
      places[k] = countBeforeIncoming(own[k], room, incoming);
    }
  __syncwarp();
#pragma unroll
  for (int k = 0; k < each; ++k)
    if (lane + k * kWarpSize < incoming) room.incoming[places[k]] = own[k];
  __syncwarp();
  const auto put = [&](const PatchRank& rank, int place) {
    if (place < kept) saved[place] = rank;
  };
  for (int i = lane; i < kept; i += kWarpSize)
    put(best[i], i + countBefore(best[i], room.incoming, incoming));
  for (int i = lane; i < incoming; i += kWarpSize)
    put(room.incoming[i], i + countBefore(room.incoming[i], best, kept));
  __syncwarp();
}

/// A warp's list: `kept` ranks in order in global memory, and what comes in. All lanes call its functions.
class RankList {
 public:
  /// `saved` holds a list already, or starts as an empty one.
  __device__ RankList(RankRoom& room, PatchRank* best, PatchRank* saved, int kept, bool filled)
      : room_(room), best_(best), saved_(saved), kept_(kept) {
    if (filled) return;
    for (int i = lane(); i < kept_; i += kWarpSize) saved_[i] = {INFINITY, 0, 0};
    __syncwarp();
  }

  /// Takes in a rank of each lane where `wanted`; there must be room for those of a warp.
  __device__ void offer(const PatchRank& rank, bool wanted) {
    const unsigned all = __ballot_sync(kAllLanes, wanted);
    if (wanted) {
      const int at = incoming_ + lanesBelow(all);
      room_.incoming[at] = rank;
      keys()[at] = float(rank.patch);
    }
    incoming_ += __popc(all);
    __syncwarp();
  }
  __device__ bool isEmpty() const { return incoming_ == 0; }
  __device__ bool isFull() const { return incoming_ > kIncoming - kWarpSize; }

  /// Puts what came in at its places in the list and drops what falls out of it at the end.
  __device__ void merge() {
    mergeInto(saved_, best_, kept_, room_, incoming_);
    incoming_ = 0;
  }
  __device__ const PatchRank& operator[](int i) const { return saved_[i]; }

 private:
  __device__ static int lane() { return ownLane(); }
  __device__ float* keys() { return reinterpret_cast<float*>(room_.keys); }

  RankRoom& room_;
  PatchRank *best_, *saved_;
  const int kept_;
  int incoming_ = 0;
};

}  // namespace sulcus::gpu::surface
