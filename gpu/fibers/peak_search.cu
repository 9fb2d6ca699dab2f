#include "core/fibers/peaks/starts.h"
#include "gpu/fibers/peak_lanes.cuh"
#include "gpu/fibers/peak_search.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/memory_access.cuh"
#include "gpu/runtime/warp.cuh"

#include <algorithm>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;
inline namespace peak_search_kernels {

constexpr int kWarps = 4;             // of a block
constexpr int kNanBits = 0x7fc00000;  // as on the CPU
constexpr int kLargestRing = 16;      // voxels in flight in a warp

/// The data of one launch; pointers are to device memory.
struct SearchJob {
  const float* prepared;
  const Vec3<float>* starts;
  int startCount;
  int ringVoxels;  ///< voxels that a warp has in flight: stragglers of one voxel do not delay the next
  Columns columns;
  int order, maxPeaks;
  float relativeThreshold, mergeSine2;
  AmplitudeCut cut;
  const float *residual, *spread;  ///< or null
  LaneRules rules;
  float *peaks, *amplitude, *count, *iterations;
  PeakTotals* totals;
};

/// Summary of the ends of a voxel's searches. Integers, so that the order of the searches does not matter.
struct Summary {
  int least, largest;  ///< orderedBits(): smallest value at a start, largest at a converged end
  int iterations, notConverged;
};

__device__ Summary emptySummary() { return {orderedBits(3e38f), orderedBits(-3e38f), 0, 0}; }

/// The lane whose end comes first, see comesBefore(); `start` < 0: the lane has none. All lanes get the same
/// answer.
__device__ int firstLane(float value, int start) {
  int lane = ownLane();
#pragma unroll
  for (int step = kWarpSize / 2; step > 0; step /= 2) {
    const float otherValue = __shfl_xor_sync(kAllLanes, value, step);
    const int otherStart = __shfl_xor_sync(kAllLanes, start, step),
              otherLane = __shfl_xor_sync(kAllLanes, lane, step);
    if (otherStart >= 0 && (start < 0 || comesBefore(otherValue, otherStart, value, start))) {
      value = otherValue;
      start = otherStart;
      lane = otherLane;
    }
  }
  return start < 0 ? -1 : lane;
}

/// The maxima among the ends of a lane: bit i for end lane + 32 i.
__device__ unsigned maximaOf(const LaneEnd* ends, int count) {
  unsigned found = 0;
  for (int i = 0, s = ownLane(); s < count; ++i, s += kWarpSize)
    if (ends[s].x.x != 0 || ends[s].x.y != 0 || ends[s].x.z != 0) found |= 1u << i;
  return found;
}

/// The end of the largest value among the maxima of all lanes.
struct LargestEnd {
  LaneEnd end;
  int start = -1;   ///< of the lane's own largest one; −1: none
  int winner = -1;  ///< the lane that has it; −1: none

  __device__ LargestEnd(const LaneEnd* ends, unsigned maxima) : end{} {
    for (unsigned left = maxima; left; left &= left - 1) {
      const int s = ownLane() + kWarpSize * (__ffs(left) - 1);
      const float value = ends[s].value;
      if (start >= 0 && !(value > end.value)) continue;
      start = s;
      end.value = value;
    }
    winner = firstLane(end.value, start);
    if (winner >= 0) end = ends[__shfl_sync(kAllLanes, start, winner)];
  }
};

/// selectPeaks() by a warp: writes the peaks of one voxel from the ends of its searches.
///
/// @param alive  the maxima that are neither selected nor merged yet, see maximaOf()
/// @return       their number
__device__ int writePeaks(const SearchJob& job, std::int64_t voxel, float unit, float smallest,
                          const LaneEnd* ends, unsigned alive) {
  const int lane = ownLane();
  int found = 0;
  for (; found < job.maxPeaks; ++found) {
    const LargestEnd largest(ends, alive);
    const LaneEnd& mine = largest.end;
    if (largest.winner < 0 || !(mine.value >= smallest)) break;
    if (lane < 3) {
      const Vec3<float> x = upward(mine.x);
      const float amplitude = unit * mine.value;
      job.peaks[(3 * found + lane) * job.columns.capacity + voxel] = amplitude * x[lane];
      if (found == 0 && lane == 0) job.amplitude[voxel] = amplitude;
    }
    for (unsigned left = alive; left; left &= left - 1) {
      const int i = __ffs(left) - 1, s = lane + kWarpSize * i;
      const bool isWinner = s == largest.start && lane == largest.winner;
      if (isWinner || sameAxis(ends[s].x, mine.x, job.mergeSine2)) alive &= ~(1u << i);
    }
  }
  for (int row = 3 * found + lane; row < 3 * job.maxPeaks; row += kWarpSize)
    job.peaks[row * job.columns.capacity + voxel] = __int_as_float(kNanBits);
  return found;
}

/// Writes the maps of one voxel.
__device__ void writeVoxel(const SearchJob& job, std::int64_t voxel, float unit, const Summary& sums,
                           const LaneEnd* ends, PeakTotals& totals) {
  const int lane = ownLane();
  const float relative =
      smallestPeak(fromOrderedBits(sums.least), fromOrderedBits(sums.largest), job.relativeThreshold);
  const float residual = job.residual ? job.residual[voxel] : 0;
  const float spread = job.spread ? job.spread[voxel] : 0;
  const float smallest = larger(relative, job.cut.at(residual, spread) / unit);
  const bool finite = isfinite(unit);
  const unsigned maxima = maximaOf(ends, job.startCount);
  const bool hasMaxima = __any_sync(kAllLanes, maxima != 0);
  const int found = writePeaks(job, voxel, unit, smallest, ends, maxima);
  if (lane > 0) return;
  if (!hasMaxima && finite) ++totals.degenerate;
  if (found == 0) job.amplitude[voxel] = 0;
  job.count[voxel] = float(found);
  job.iterations[voxel] = float(sums.iterations) / float(job.startCount);
  ++(finite ? totals.voxels : totals.notFinite);
  totals.iterations += sums.iterations;
  totals.notConverged += sums.notConverged;
}

/// A start of a voxel.
struct StartOf {
  int voxel, start;

  __device__ void skip(int starts, int ofVoxel) {
    start += starts;
    while (start >= ofVoxel) {
      start -= ofVoxel;
      ++voxel;
    }
  }
};

/// The searches of a warp in a range of voxels, whose starts are distributed to its lanes. Ends wait in a
/// ring in shared memory until those of a voxel are complete.
template <class Lane>
class WarpSearch {
 public:
  /// @param ends, sums  of job.ringVoxels voxels, shared by the warp
  __device__ WarpSearch(const SearchJob& job, std::int64_t first, int voxels, LaneEnd* ends, Summary* sums)
      : job_(job),
        first_(first),
        voxels_(voxels),
        prepared_(job.prepared + first * preparedFloats(job.order)),
        ends_(ends),
        sums_(sums),
        walker_(job.rules) {
    if (ownLane() < job.ringVoxels) sums[ownLane()] = emptySummary();
    __syncwarp();
  }

  __device__ void run(PeakTotals& totals) {
    while (written_ < voxels_) {
      const unsigned idle = __ballot_sync(kAllLanes, walker_.done);
      if (__popc(idle) >= Lane::kRefill || next_.voxel == voxels_) {
        deliver();
        __syncwarp();
        writeComplete(totals);
        assign(idle);
      }
      if (!walker_.done) walker_.step();
    }
  }

 private:
  __device__ bool isSearching() const { return place_ >= 0; }

  /// Puts the end of a lane that is done into the ring.
  __device__ __forceinline__ void deliver() {
    if (!walker_.done || !isSearching()) return;
    Summary& sums = sums_[slot_];
    ends_[place_] = walker_.end();
    atomicMin(&sums.least, orderedBits(walker_.startValue()));
    if (walker_.converged())
      atomicMax(&sums.largest, orderedBits(ends_[place_].value));
    else
      atomicAdd(&sums.notConverged, 1);
    atomicAdd(&sums.iterations, walker_.iterations());
    place_ = -1;
  }

  /// Writes the oldest voxels whose searches have all been assigned and completed.
  __device__ __forceinline__ void writeComplete(PeakTotals& totals) {
    while (written_ < next_.voxel && !__any_sync(kAllLanes, isSearching() && voxel_ == written_)) {
      const int slot = written_ % job_.ringVoxels;
      const float unit = prepared_[std::int64_t(written_) * preparedFloats(job_.order)];
      writeVoxel(job_, first_ + written_, unit, sums_[slot], ends_ + slot * job_.startCount, totals);
      __syncwarp();
      if (ownLane() == 0) sums_[slot] = emptySummary();
      ++written_;
      __syncwarp();
    }
  }

  /// Assigns new starts to the idle lanes, as far as the ring has room.
  __device__ __forceinline__ void assign(unsigned idle) {
    StartOf mine = next_;
    mine.skip(lanesBelow(idle), job_.startCount);
    const int limit = min(voxels_, written_ + job_.ringVoxels);
    if (walker_.done && !isSearching() && mine.voxel < limit) {
      voxel_ = mine.voxel;
      slot_ = mine.voxel % job_.ringVoxels;
      place_ = slot_ * job_.startCount + mine.start;
      walker_.load(prepared_ + std::int64_t(mine.voxel) * preparedFloats(job_.order),
                   job_.starts[mine.start]);
    }
    next_.skip(__popc(idle), job_.startCount);
    if (next_.voxel >= limit) next_ = {limit, 0};
  }

  const SearchJob& job_;
  const std::int64_t first_;
  const int voxels_;
  const float* const prepared_;
  LaneEnd* const ends_;
  Summary* const sums_;
  Lane walker_;
  StartOf next_{0, 0};        ///< to be assigned
  int written_ = 0;           ///< voxels that are finished
  int place_ = -1;            ///< in the ring, of the lane's end; −1: it has no search
  int voxel_ = 0, slot_ = 0;  ///< of the lane's search, and where that is in the ring
};

/// Each warp takes a range of voxels.
template <class Lane>
__global__ void __launch_bounds__(kWarpSize* kWarps, Lane::kBlocks) search(const SearchJob job) {
  extern __shared__ LaneEnd allEnds[];
  __shared__ Summary allSums[kWarps][kLargestRing];
  __shared__ PeakTotals allTotals[kWarps];
  const int lane = ownLane(), warp = threadIdx.x / kWarpSize, warps = blockDim.x / kWarpSize;
  const std::int64_t warpIndex = std::int64_t(blockIdx.x) * warps + warp,
                     warpCount = std::int64_t(gridDim.x) * warps;
  const std::int64_t begin = job.columns.begin, all = job.columns.end - begin;
  const std::int64_t first = begin + all * warpIndex / warpCount;
  const int voxels = int(begin + all * (warpIndex + 1) / warpCount - first);
  PeakTotals& totals = allTotals[warp];
  if (lane == 0) totals = {};
  WarpSearch<Lane>(job, first, voxels, allEnds + warp * job.ringVoxels * job.startCount, allSums[warp])
      .run(totals);
  if (lane == 0 && voxels > 0) {
    atomicAdd(&job.totals->voxels, totals.voxels);
    atomicAdd(&job.totals->notFinite, totals.notFinite);
    atomicAdd(&job.totals->degenerate, totals.degenerate);
    atomicAdd(&job.totals->iterations, totals.iterations);
    atomicAdd(&job.totals->notConverged, totals.notConverged);
  }
}

/// Scales the entries of a voxel and stores them consecutively; voxels that are zero or not finite are
/// marked.
template <int Order>
__global__ void prepare(const float* tensors, Columns columns, FiberOptions options, float* prepared) {
  constexpr int U = tensorEntries(Order);
  const std::int64_t voxel = columns.begin + std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (voxel >= columns.end) return;
  float entries[paddedEntries(Order)];
#pragma unroll
  for (int u = 0; u < paddedEntries(Order); ++u)
    entries[u] = u < U ? tensors[u * columns.capacity + voxel] : 0;
  const float unit = tensorUnit(entries, U);
  const float scale = unit > 0 && isfinite(unit) ? __frcp_rn(unit) : 0;  // exact, since it is a power of two
#pragma unroll
  for (int u = 0; u < U; ++u) entries[u] = scale > 0 ? entries[u] * scale : 0;
  const auto rules = searchRules<Order>(options, entries);
  float* const out = prepared + voxel * preparedFloats(Order);
  storeFour(out, {unit, rules.norm, rules.alpha, 0});
#pragma unroll
  for (int u = 0; u < paddedEntries(Order); u += 4)
    storeFour(out + 4 + u, {entries[u], entries[u + 1], entries[u + 2], entries[u + 3]});
}

template <int Order>
void launchPrepare(PeakSlab& slab, const Columns& columns, const FiberOptions& options,
                   const Stream& stream) {
  constexpr int threads = 128;
  prepare<Order><<<blocksFor(columns.count(), threads), threads, 0, stream.get()>>>(
      slab.tensors.data(), columns, options, slab.prepared.data());
  SULCUS_CUDA_LAUNCHED("prepare");
}

template <class Lane>
void launchSearch(SearchJob job, const Stream& stream) {
  job.ringVoxels = kLargestRing;
  if (job.startCount > 16) job.ringVoxels = 4;
  if (job.startCount > 128) job.ringVoxels = 2;
  const int perWarp = job.ringVoxels * job.startCount * int(sizeof(LaneEnd));
  constexpr int kStaticShared = kWarps * (kLargestRing * sizeof(Summary) + sizeof(PeakTotals));
  const int warps = kWarps * perWarp <= (48 << 10) - kStaticShared ? kWarps : 1;
  int blocks = 0;
  SULCUS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, search<Lane>, kWarpSize * warps,
                                                            warps * perWarp));
  const std::int64_t grid = std::min<std::int64_t>(std::int64_t(multiprocessors()) * std::max(1, blocks),
                                                   ceilDivide(job.columns.count(), warps));
  search<Lane><<<unsigned(grid), kWarpSize * warps, warps * perWarp, stream.get()>>>(job);
  SULCUS_CUDA_LAUNCHED("search");
}

template <int Order>
void launchOrder(const SearchJob& job, const FiberOptions& options, const Stream& stream) {
  options.shift == ShiftRule::adaptive ? launchSearch<NewtonLane<Order, true>>(job, stream)
                                       : launchSearch<NewtonLane<Order, false>>(job, stream);
}

}  // namespace peak_search_kernels

std::int64_t PeakSlab::bytesPerVoxel(int order, const FiberOptions& options) {
  return 4 * (tensorEntries(order) + preparedFloats(order) + 3 * options.maxPeaks + 3);
}

PeakSlab::PeakSlab(std::int64_t voxels, int formOrder, const FiberOptions& options, const Stream& stream)
    : capacity(voxels),
      order(formOrder),
      maxPeaks(options.maxPeaks),
      tensors(voxels * tensorEntries(order), stream, "the tensors"),
      prepared(voxels * preparedFloats(order), stream, "the scaled tensors"),
      peaks(voxels * 3 * maxPeaks, stream, "the peaks"),
      amplitude(voxels, stream, "the peaks"),
      count(voxels, stream, "the peaks"),
      iterations(voxels, stream, "the peaks"),
      totals(1, stream) {}

Buffer<float> uploadStarts(const FiberOptions& options, const Stream& stream) {
  const auto starts = startingDirections(options);
  Buffer<float> buffer(3 * std::int64_t(starts.size()), stream, "the starting directions");
  buffer.upload({&starts[0].x, 3 * starts.size()}, stream);
  stream.synchronize();  // `starts` goes out of scope
  return buffer;
}

std::int64_t startBytes(const FiberOptions& options) { return 12 * std::int64_t(options.starts); }

void clearTotals(PeakSlab& slab, const Stream& stream) { slab.totals.fillBytes(0, stream); }

void searchPeaks(PeakSlab& slab, std::int64_t begin, std::int64_t end, const PeakInput& input,
                 const FiberOptions& options, const Stream& stream) {
  if (begin >= end) return;
  SearchJob job{};
  job.prepared = slab.prepared.data();
  job.starts = reinterpret_cast<const Vec3<float>*>(input.starts.data());
  job.startCount = int(input.starts.size() / 3);
  job.columns = {begin, end, slab.capacity};
  job.order = slab.order;
  job.maxPeaks = slab.maxPeaks;
  job.relativeThreshold = float(options.relativeThreshold);
  job.mergeSine2 = mergeSine2(options);
  job.cut = input.cut;
  job.residual = input.residual;
  job.spread = input.spread;
  job.rules = {float(options.tolerance), options.maxIterations};
  job.peaks = slab.peaks.data();
  job.amplitude = slab.amplitude.data();
  job.count = slab.count.data();
  job.iterations = slab.iterations.data();
  job.totals = slab.totals.data();
  withOrder(slab.order, [&](auto order) {
    launchPrepare<order>(slab, job.columns, options, stream);
    launchOrder<order>(job, options, stream);
  });
}

}  // namespace sulcus::gpu::fibers
