#pragma once

#include "gpu/runtime/memory_access.cuh"
#include "gpu/runtime/warp.cuh"
#include "gpu/surface/pair_bounds.cuh"
#include "gpu/surface/rank_lists.cuh"
#include "gpu/surface/search_job.h"

#include <algorithm>

// What one block of the search does. For files compiled by nvcc only.

namespace sulcus::gpu::surface {
using namespace sulcus::surface;

inline constexpr int kGroup = 8;       // positions of a matrix fragment
inline constexpr int kVisits = 1024;   // tiles of a list of visits
inline constexpr int kNearTiles = 32;  // that a first bound is made of
inline constexpr int kBins = 401;      // of the histogram of differences in 8 bits, two in a word
inline constexpr int kBinWords = (kBins + 1) / 2;
inline constexpr int kShells = 3;
/// Parts of the farthest box gap worth a visit; what is nearer goes first, as it lowers the rest.
__device__ constexpr float kShellParts[kShells] = {0.1f, 0.4f, 1};

/// The product that no column reaches.
inline constexpr int kNothingNear = 0x7fffffff;

/// Bounds are rounded up by this part wherever they are computed.
inline constexpr float kUp = 1.000002f;

/// The tiles that a block visits next, each with the sub-tiles of its rows that search it in the last bits.
struct Visits {
  int tiles[kVisits];
  int count;
};

/// Where the lanes of a warp exchange candidates and their differences.
struct WarpScratch {
  double difference[kWarpSize];
  int from[kWarpSize];
};

/// Shared memory of a block.
template <int Rows>
struct SearchMemory {
  RowStates<Rows>& rows;
  Visits& visits;
  WarpScratch& scratch;    ///< of the calling warp
  unsigned char* dynamic;  ///< BlockSearch::sharedBytes()
};

/// The search of a block, for `SubTiles` sub-tiles of rows, whose fragments of patches of `Steps` steps stay
/// in registers. Two warps look after each sub-tile, four where a block has one.
template <int Steps, int SubTiles>
class BlockSearch {
 public:
  static constexpr int kRows = kSubTile * SubTiles, kWarps = SubTiles == 1 ? 4 : 2 * SubTiles,
                       kThreads = kWarpSize * kWarps;
  /// Candidates of a row that wait for their exact difference; from kFull on every warp may still add what
  /// one fragment holds.
  static constexpr int kFull = 64 + 8 * kWarps, kQueue = kFull + kWarps * kGroup;
  static constexpr std::size_t kQueueBytes = sizeof(int) * kRows * kQueue;

  static std::size_t sharedBytes(int kept, int mergers) {
    const std::size_t lists = mergers * (sizeof(RankRoom) + sizeof(PatchRank) * std::size_t(kept));
    return std::max(kQueueBytes + lists, sizeof(int) * kRows * kBinWords);
  }

  /// @param first    row of the block
  /// @param lists    of its rows, in device memory
  /// @param mergers  warps that have room to merge lists
  __device__ BlockSearch(const SearchJob& job, std::int64_t first, const SearchMemory<kRows>& memory,
                         PatchRank* lists, int mergers)
      : job_(job),
        first_(first),
        rows_(memory.rows),
        visits_(memory.visits),
        scratch_(memory.scratch),
        histogram_(reinterpret_cast<int*>(memory.dynamic)),
        queue_(reinterpret_cast<int*>(memory.dynamic)),
        room_(reinterpret_cast<RankRoom*>(memory.dynamic + kQueueBytes) + warp() % mergers),
        best_(reinterpret_cast<PatchRank*>(memory.dynamic + kQueueBytes + mergers * sizeof(RankRoom)) +
              warp() % mergers * job.kept),
        lists_(lists),
        mergers_(mergers),
        scale_(job.extent->largest > 0 ? 127 / job.extent->largest : 1),
        slack_(axisRounding(job.extent->coordinate)) {
    const auto* const words = reinterpret_cast<const uint2*>(job_.layout.bytes);
#pragma unroll
    for (int g = 0; g < kRows / kGroup; ++g)
#pragma unroll
      for (int s = 0; s < Steps; ++s) own_[g][s] = words[((first_ / kGroup + g) * Steps + s) * 32 + lane()];
  }

  __device__ void run() {
    if (threadIdx.x < SubTiles) rows_.gap[threadIdx.x] = -1;
    for (int r = threadIdx.x; r < kRows; r += kThreads) {
      rows_.worst[r] = {INFINITY, 0, -1};
      rows_.queued[r] = 0;
    }
    findBounds();
    visitAll();
    for (int r = warp(); r < kRows; r += kWarps) writeRow(r);
  }

 private:
  __device__ static int lane() { return ownLane(); }
  __device__ static int warp() { return threadIdx.x / kWarpSize; }

  /// At most this different is what may still become a neighbor of a row, mm².
  __device__ double farthest(int row) const { return min(rows_.worst[row].patch, rows_.bound[row]); }

  /// The product from which on a column may be near enough: its norm − 2 product ≤ what is left for them.
  __device__ int needOf(int row) const {
    const int norm = job_.layout.norms[first_ + row];
    if (norm == kPadding) return kNothingNear;
    const double most = farthest(row);
    if (most == INFINITY) return -(kPadding / 4);
    const double reach =
        scale_ * (sqrt(most) + double(job_.layout.roundings[first_ + row]) + double(job_.extent->rounding));
    const int limit = int(min(double(kPadding / 4), kUp * reach * reach + 1));
    return (norm - limit) >> 1;
  }

  /// The fragment of 8 columns, and what their sums start from.
  __device__ void loadColumns(std::int64_t group, uint2 (&columns)[Steps]) const {
    const auto* const words = reinterpret_cast<const uint2*>(job_.layout.bytes);
#pragma unroll
    for (int s = 0; s < Steps; ++s) columns[s] = words[(group * Steps + s) * 32 + lane()];
  }
  __device__ int2 normsOf(std::int64_t group) const {
    return *reinterpret_cast<const int2*>(job_.layout.norms + group * kGroup + lane() % 4 * 2);
  }
  /// Row of sum c[i] of a lane in a sub-tile, and its column in the fragment.
  __device__ static int rowOf(int i) { return lane() / 4 + i / 2 * 8; }
  __device__ static int columnOf(int i) { return lane() % 4 * 2 + i % 2; }

  /// The tiles beside the rows: how many, and the first of them.
  __device__ int nearTiles() const {
    const int most = job_.tiles * kTile <= kFewPositions ? job_.tiles : kNearTiles;
    return min(job_.tiles, max(most, job_.count / kTile + 2));
  }
  __device__ int firstNear() const {
    return min(int(first_ / kTile) / nearTiles() * nearTiles(), job_.tiles - nearTiles());
  }

  /// Counts the differences of the rows from a fragment in 8 bits.
  __device__ __forceinline__ void countGroup(std::int64_t group) {
    uint2 columns[Steps];
    loadColumns(group, columns);
    const int2 norms = normsOf(group);
    for (int sub = 0; sub < SubTiles; ++sub) {
      int c[4] = {};
      for (int s = 0; s < Steps; ++s) multiplyBy(c, sub, s, columns[s]);
      for (int i = 0; i < 4; ++i) {
        const int row = sub * kSubTile + rowOf(i), own = job_.layout.norms[first_ + row];
        const int other = i % 2 ? norms.y : norms.x;
        if (own != kPadding && other != kPadding) count(row, binOf(own + other - 2 * c[i]));
      }
    }
  }

  /// Counts the differences in 8 bits from the tiles beside the rows: the last neighbor is at most as
  /// different as m + 1 of them, the row itself among these.
  __device__ void findBounds() {
    for (int i = threadIdx.x; i < kRows * kBinWords; i += kThreads) histogram_[i] = 0;
    __syncthreads();
    for (int g = warp(); g < nearTiles() * kTile / kGroup; g += kWarps)
      countGroup(std::int64_t(firstNear()) * (kTile / kGroup) + g);
    __syncthreads();
    for (int row = threadIdx.x; row < kRows; row += kThreads) {
      int bin = 0, seen = 0;
      while (bin < kBins && (seen += counted(row, bin)) <= job_.count) ++bin;
      const double rounding = double(job_.layout.roundings[first_ + row]) + double(job_.extent->rounding);
      const double most = sqrt(double(endOf(bin))) / scale_ + rounding;
      rows_.bound[row] = bin < kBins ? double(kUp) * most * most : INFINITY;
      rows_.need[row] = needOf(row);
    }
    __syncthreads();
  }

  __device__ void count(int row, int bin) {
    atomicAdd(&histogram_[row * kBinWords + bin / 2], bin % 2 ? 1 << 16 : 1);
  }
  __device__ int counted(int row, int bin) const {
    return histogram_[row * kBinWords + bin / 2] >> (bin % 2 ? 16 : 0) & 0xffff;
  }

  /// `sub` is not known when the code is made only where `own_` need not stay in registers.
  __device__ __forceinline__ void multiplyBy(int (&c)[4], int sub, int step, const uint2& columns) const {
#pragma unroll
    for (int k = 0; k < SubTiles; ++k)
      if (k == sub) multiply(c, own_[2 * k][step], own_[2 * k + 1][step], columns);
  }

  __device__ void beginShell(float part) {
    if (warp() < SubTiles) {
      const int sub = warp(), row = sub * kSubTile + lane() % kSubTile;
      const bool padded = rows_.need[row] == kNothingNear;
      const float distance = padded ? 0 : float(sqrt(farthest(row))) + slack_;
      const float most = largestOverLanes<kSubTile>(padded ? -1 : kUp * distance * distance);
      // A row whose neighbors are all exactly like it takes only a nearer voxel.
      const PatchRank& worst = rows_.worst[row];
      float reach = worst.patch == 0 ? __double2float_ru(worst.squaredDistance) : INFINITY;
      if (padded) reach = -1;
      reach = largestOverLanes<kSubTile>(reach);
      if (lane() == 0) {
        rows_.nearer[sub] = rows_.gap[sub];
        rows_.gap[sub] = fmaxf(rows_.gap[sub], part * most);
        rows_.reach[sub] = reach;
      }
    }
    __syncthreads();
  }

  __device__ bool isNear(int tile) const { return tile >= firstNear() && tile < firstNear() + nearTiles(); }

  /// Whether a sub-tile visits a tile in this shell.
  __device__ bool isInShell(int sub, int tile) const {
    const std::int64_t own = first_ / kSubTile + sub;
    const float gap = squaredGap(job_.layout.subTiles[own], job_.layout.tiles[tile]);
    if (!(gap > rows_.nearer[sub] && gap <= rows_.gap[sub])) return false;
    return rows_.reach[sub] == INFINITY ||
           __double2float_rd(squaredGap(job_.layout.subTileVoxels[own], job_.layout.tileVoxels[tile],
                                        job_.spacing)) <= rows_.reach[sub];
  }

  /// All tiles beside the rows, from the rows' own to either side in turn; returns the end of all tiles.
  __device__ int gatherNear() {
    const int own = int(first_ / kTile) - firstNear(), count = nearTiles();
    for (int i = threadIdx.x; i < count; i += kThreads) {
      const int tile = firstNear() + (own + (i % 2 ? (i + 1) / 2 : count - i / 2)) % count;
      visits_.tiles[i] = tile << 4 | ((1 << SubTiles) - 1);
    }
    if (threadIdx.x == 0) visits_.count = count;
    __syncthreads();
    return job_.tiles;
  }

  /// As many of the others of this shell, from tile `begin` on, as there is room for; returns where it ended.
  __device__ int gatherShell(int begin) {
    if (threadIdx.x == 0) visits_.count = 0;
    __syncthreads();
    while (begin < job_.tiles && visits_.count <= kVisits - kThreads) {
      const int tile = begin + threadIdx.x;
      int subs = 0;
      if (tile < job_.tiles && !isNear(tile))
        for (int sub = 0; sub < SubTiles; ++sub)
          if (isInShell(sub, tile)) subs |= 1 << sub;
      __syncthreads();  // all have read the count
      if (subs) visits_.tiles[atomicAdd(&visits_.count, 1)] = tile << 4 | subs;
      begin += kThreads;
      __syncthreads();
    }
    return begin;
  }

  /// The tiles beside the rows come first: what they hold keeps most others away. Then come the shells.
  __device__ void visitAll() {
    for (int shell = -1; shell < kShells; ++shell) {
      if (shell >= 0) beginShell(kShellParts[shell]);
      for (int begin = 0; begin < job_.tiles;) {
        begin = shell < 0 ? gatherNear() : gatherShell(begin);
        visitTiles(visits_.count);
        __syncthreads();
      }
    }
  }

  /// Each warp visits every kWarps-th, until it fills a queue; then exact differences are computed.
  __device__ void visitTiles(int count) {
    constexpr int groups = kTile / kGroup;
    int at = warp() * groups;  // visit, then fragment
    for (bool more = true; more;) {
      for (bool stop = false; at < count * groups && !stop;) {
        stop = __any_sync(kAllLanes, visitGroup(visits_.tiles[at / groups], at % groups));
        at += at % groups == groups - 1 ? (kWarps - 1) * groups + 1 : 1;
      }
      more = __syncthreads_or(at < count * groups);
      compareQueues(more ? kFull / 2 : 0);
      __syncthreads();
    }
  }

  /// Puts the columns of a fragment that may be near a sub-tile's rows into their queues; true for a lane
  /// that filled one.
  ///
  /// @param c  the products of the lane's rows and columns, less half the columns' norms
  __device__ __forceinline__ bool queueNear(const int (&c)[4], int sub, std::int64_t group) {
    const int low = rows_.need[sub * kSubTile + rowOf(0)], high = rows_.need[sub * kSubTile + rowOf(2)];
    if (!(max(c[0], c[1]) >= low || max(c[2], c[3]) >= high)) return false;
    bool filled = false;
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (c[i] >= (i < 2 ? low : high)) {
        const int row = sub * kSubTile + rowOf(i);
        const int place = atomicAdd(&rows_.queued[row], 1);
        queue_[row * kQueue + place] = int(group * kGroup) + columnOf(i);
        filled |= place >= kFull;
      }
    return filled;
  }

  /// Puts what may be near into the queues; true for a lane that filled one.
  __device__ bool visitGroup(int visit, int part) {
    const std::int64_t group = std::int64_t(visit >> 4) * (kTile / kGroup) + part;
    uint2 columns[Steps];
    loadColumns(group, columns);
    const int2 norms = normsOf(group);
    const int x = -(norms.x >> 1), y = -(norms.y >> 1);
    bool filled = false;
#pragma unroll
    for (int sub = 0; sub < SubTiles; ++sub)
      if (visit >> sub & 1) {
        int c[4] = {x, y, x, y};
#pragma unroll
        for (int s = 0; s < Steps; ++s) multiply(c, own_[2 * sub][s], own_[2 * sub + 1][s], columns[s]);
        filled |= queueNear(c, sub, group);
      }
    return filled;
  }

  /// Compares the rows with more than `least` candidates, a warp for each.
  __device__ void compareQueues(int least) {
    __shared__ int next;
    if (threadIdx.x == 0) next = 0;
    __syncthreads();
    if (warp() >= mergers_) return;
    for (;;) {
      int row = 0;
      if (lane() == 0) row = atomicAdd(&next, 1);
      row = __shfl_sync(kAllLanes, row, 0);
      if (row >= kRows) return;
      if (rows_.queued[row] > least) compareQueue(row);
    }
  }

  __device__ void compareQueue(int row) {
    float4 own[Steps];
#pragma unroll
    for (int s = 0; s < Steps; ++s) own[s] = valuesOf(first_ + row, s);
    const Place at = job_.layout.places[first_ + row];
    RankList list(*room_, best_, lists_ + std::int64_t(row) * job_.kept, job_.kept,
                  rows_.worst[row].index >= 0);
    PatchRank worst = list[job_.count - 1];
    const double bound = rows_.bound[row];
    const int queued = rows_.queued[row];
    for (int begin = 0; begin < queued; begin += kWarpSize) {
      const int column = begin + lane() < queued ? queue_[row * kQueue + begin + lane()] : int(first_) + row;
      const Place there = job_.layout.places[column];
      PatchRank rank{0, squaredVoxelDistance({at.x, at.y, at.z}, {there.x, there.y, there.z}, job_.spacing),
                     there.element};
      // Where the worst is as like as can be, only a nearer voxel is better.
      const bool asked =
          column != first_ + row && !(worst.patch == 0 && rank.squaredDistance > worst.squaredDistance);
      rank.patch = differences(own, column, asked);
      list.offer(rank, asked && rank.patch <= bound && rank < worst);
      if (list.isFull()) {
        list.merge();
        worst = list[job_.count - 1];
      }
    }
    if (!list.isEmpty()) {
      list.merge();
      worst = list[job_.count - 1];
    }
    if (lane() == 0) {
      worst.index = max(worst.index, 0);
      rows_.worst[row] = worst;
      rows_.queued[row] = 0;
      rows_.need[row] = needOf(row);
    }
    __syncwarp();
  }

  /// The four values of a step of a patch that the lane, one of eight, looks after.
  __device__ float4 valuesOf(std::int64_t position, int step) const {
    return loadFour(job_.layout.patches + 4 * ((position * Steps + step) * 8 + lane() % 8));
  }

  /// D of each lane's column, mm²; eight lanes compute one.
  __device__ double differences(const float4 (&own)[Steps], int column, bool asked) {
    const unsigned all = __ballot_sync(kAllLanes, asked);
    if (asked) scratch_.from[lanesBelow(all)] = lane();
    __syncwarp();
    const int count = __popc(all);
#pragma unroll 2
    for (int k = lane() / 8; k < roundedUp(count, 4); k += 4) {
      const int from = k < count ? scratch_.from[k] : 0;
      const std::int64_t other = __shfl_sync(kAllLanes, column, from);
      double sum = 0;
#pragma unroll
      for (int s = 0; s < Steps; ++s) {
        const float4 b = valuesOf(other, s);
        const double x = own[s].x - b.x, y = own[s].y - b.y, z = own[s].z - b.z, w = own[s].w - b.w;
        sum += x * x + y * y + (z * z + w * w);
      }
      sum = sumOverLanes<8>(sum);
      if (lane() % 8 == 0 && k < count) scratch_.difference[from] = sum;
    }
    __syncwarp();
    return asked ? scratch_.difference[lane()] : 0;
  }

  __device__ void writeRow(int row) const {
    const Place at = job_.layout.places[first_ + row];
    if (at.element < 0) return;
    const PatchRank* const saved = lists_ + std::int64_t(row) * job_.kept;
    for (int i = lane(); i < job_.count; i += kWarpSize) {
      job_.index[std::int64_t(at.element) * job_.count + i] = saved[i].index;
      job_.distance[std::int64_t(at.element) * job_.count + i] = float(saved[i].patch);
    }
  }

  const SearchJob& job_;
  const std::int64_t first_;
  RowStates<kRows>& rows_;
  Visits& visits_;
  WarpScratch& scratch_;
  int *histogram_, *queue_;
  RankRoom* room_;
  PatchRank *best_, *lists_;
  const int mergers_;
  const float scale_, slack_;
  uint2 own_[kRows / kGroup][Steps];
};

}  // namespace sulcus::gpu::surface
