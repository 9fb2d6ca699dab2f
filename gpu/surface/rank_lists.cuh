#pragma once

#include "core/surface/surface_body.h"
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
  float distances[kIncoming];  ///< of the voxels, likewise
  PatchRank incoming[kIncoming];
};

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
      room_.distances[at] = float(rank.squaredDistance);
    }
    incoming_ += __popc(all);
    __syncwarp();
  }
  __device__ bool isEmpty() const { return incoming_ == 0; }
  __device__ bool isFull() const { return incoming_ > kIncoming - kWarpSize; }

  /// Puts what came in at its places in the list and drops what falls out of it at the end.
  __device__ void merge() {
    for (int i = lane(); i < kept_; i += kWarpSize) best_[i] = saved_[i];
    if (lane() < 4 && incoming_ + lane() < kIncoming) keys()[incoming_ + lane()] = INFINITY;
    __syncwarp();
    for (int i = lane(); i < kept_; i += kWarpSize) put(best_[i], i, 0);
    for (int i = lane(); i < incoming_; i += kWarpSize) put(room_.incoming[i], below(room_.incoming[i]), 1);
    incoming_ = 0;
    __syncwarp();
  }
  __device__ const PatchRank& operator[](int i) const { return saved_[i]; }

 private:
  __device__ static int lane() { return ownLane(); }
  __device__ float* keys() { return reinterpret_cast<float*>(room_.keys); }

  /// How many ranks of the last list are before this one.
  __device__ int below(const PatchRank& rank) const {
    int low = 0, high = kept_;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (best_[middle] < rank)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  /// Puts a rank behind `place` ranks of the last list and behind those that came in and rank before it;
  /// `own` is 1 where it is itself among those that came in, else 0.
  __device__ void put(const PatchRank& rank, int place, int own) {
    const float key = float(rank.patch);
    int before = 0, alike = 0;
    for (int k = 0; 4 * k < incoming_; ++k) {
      const float4 four = room_.keys[k];
      before += (four.x < key) + (four.y < key) + (four.z < key) + (four.w < key);
      alike += (four.x == key) + (four.y == key) + (four.z == key) + (four.w == key);
    }
    if (alike > own && key < INFINITY) before += beforeAmongAlike(rank, key);
    if (place + before < kept_) saved_[place + before] = rank;
  }

  /// How many of those that came in with this key rank before it; they may be alike in float only.
  __device__ int beforeAmongAlike(const PatchRank& rank, float key) {
    const float distance = float(rank.squaredDistance);
    int before = 0;
    for (int k = 0; k < incoming_; ++k)
      if (keys()[k] == key) {
        // Of equal D the nearer voxel comes first. Where D is equal in float only, the ranks themselves tell.
        const bool surely = key == 0 && room_.distances[k] != distance;
        before += surely ? room_.distances[k] < distance : room_.incoming[k] < rank;
      }
    return before;
  }

  RankRoom& room_;
  PatchRank *best_, *saved_;
  const int kept_;
  int incoming_ = 0;
};

}  // namespace sulcus::gpu::surface
