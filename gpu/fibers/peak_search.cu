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

constexpr int kWarps = 4;         // of a block
constexpr int kLargestRing = 16;  // voxels in flight in a warp

/// The data of one launch; pointers are to device memory.
struct SearchJob {
  const float* prepared;
  const Vec3<float>* starts;
  int startCount;
  int ringVoxels;  ///< voxels that a warp has in flight: stragglers of one voxel do not delay the next
  std::int64_t begin, end, capacity;
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
    if (otherStart >= 0 && (start < 0 || comesBefore(otherValue, otherStart, value, start)))
      value = otherValue, start = otherStart, lane = otherLane;
  }
  return start < 0 ? -1 : lane;
}

/// selectPeaks() by a warp: writes the maps of one voxel from the ends of its searches, whose marks are
/// cleared.
__device__ void writeVoxel(const SearchJob& job, std::int64_t voxel, float unit, const Summary& sums,
                           LaneEnd* ends, PeakTotals& totals) {
  const int lane = ownLane();
  const float relative =
      smallestPeak(fromOrderedBits(sums.least), fromOrderedBits(sums.largest), job.relativeThreshold);
  const float cut = job.cut.at(job.residual ? job.residual[voxel] : 0, job.spread ? job.spread[voxel] : 0);
  const float smallest = larger(relative, cut / unit);
  unsigned alive = 0;  // bit i: end lane + 32 i is a maximum not yet selected or merged
  for (int i = 0, s = lane; s < job.startCount; ++i, s += kWarpSize)
    if (ends[s].x.x != 0 || ends[s].x.y != 0 || ends[s].x.z != 0) alive |= 1u << i;
  const bool finite = isfinite(unit);
  if (__ballot_sync(kAllLanes, alive != 0) == 0 && lane == 0 && finite) ++totals.degenerate;

  int found = 0;
  for (; found < job.maxPeaks; ++found) {
    int best = -1;
    LaneEnd mine{};
    for (unsigned left = alive; left; left &= left - 1) {
      const int s = lane + kWarpSize * (__ffs(left) - 1);
      const float value = ends[s].value;
      if (best < 0 || value > mine.value) best = s, mine.value = value;
    }
    const int winner = firstLane(mine.value, best);
    if (winner < 0) break;
    mine = ends[__shfl_sync(kAllLanes, best, winner)];
    if (!(mine.value >= smallest)) break;
    if (lane < 3) {
      const Vec3<float> x = upward(mine.x);
      const float amplitude = unit * mine.value;
      job.peaks[(3 * found + lane) * job.capacity + voxel] = amplitude * x[lane];
      if (found == 0 && lane == 0) job.amplitude[voxel] = amplitude;
    }
    for (unsigned left = alive; left; left &= left - 1) {
      const int i = __ffs(left) - 1, s = lane + kWarpSize * i;
      const bool isWinner = s == best && lane == winner;
      if (isWinner || sameAxis(ends[s].x, mine.x, job.mergeSine2)) alive &= ~(1u << i);
    }
  }
  for (int row = 3 * found + lane; row < 3 * job.maxPeaks; row += kWarpSize)
    job.peaks[row * job.capacity + voxel] = __int_as_float(0x7fc00000);
  if (lane == 0) {
    if (found == 0) job.amplitude[voxel] = 0;
    job.count[voxel] = float(found);
    job.iterations[voxel] = float(sums.iterations) / float(job.startCount);
    ++(finite ? totals.voxels : totals.notFinite);
    totals.iterations += sums.iterations;
    totals.notConverged += sums.notConverged;
  }
}

/// Each warp takes a range of voxels and distributes their starts to its lanes; a lane that is done takes the
/// next start. Ends wait in a ring in shared memory until those of a voxel are complete.
template <class Lane>
__global__ void __launch_bounds__(kWarpSize* kWarps, Lane::kBlocks) search(const SearchJob job) {
  extern __shared__ LaneEnd allEnds[];
  __shared__ Summary allSums[kWarps][kLargestRing];
  __shared__ PeakTotals allTotals[kWarps];
  const int lane = ownLane(), warp = threadIdx.x / kWarpSize, warps = blockDim.x / kWarpSize;
  const std::int64_t warpIndex = std::int64_t(blockIdx.x) * warps + warp,
                     warpCount = std::int64_t(gridDim.x) * warps;
  const std::int64_t first = job.begin + (job.end - job.begin) * warpIndex / warpCount;
  const int voxels = int(job.begin + (job.end - job.begin) * (warpIndex + 1) / warpCount - first);
  LaneEnd* const ends = allEnds + warp * job.ringVoxels * job.startCount;
  Summary* const sums = allSums[warp];
  const float* const prepared = job.prepared + first * preparedFloats(job.order);

  Lane walker(job.rules);
  PeakTotals& totals = allTotals[warp];
  if (lane == 0) totals = {};
  int issuedVoxel = 0, issuedStart = 0;  // the next start to be assigned
  int written = 0;                       // voxels that are finished
  int ringPlace = -1, slot = 0, voxel = 0;
  if (lane < job.ringVoxels) sums[lane] = emptySummary();
  __syncwarp();

  while (written < voxels) {
    const unsigned idle = __ballot_sync(kAllLanes, walker.done);
    if (__popc(idle) >= Lane::kRefill || issuedVoxel == voxels) {
      if (walker.done && ringPlace >= 0) {
        ends[ringPlace] = walker.end();
        atomicMin(&sums[slot].least, orderedBits(walker.startValue()));
        if (walker.converged())
          atomicMax(&sums[slot].largest, orderedBits(ends[ringPlace].value));
        else
          atomicAdd(&sums[slot].notConverged, 1);
        atomicAdd(&sums[slot].iterations, walker.iterations());
        ringPlace = -1;
      }
      __syncwarp();
      // The oldest voxels whose searches have all been assigned and completed.
      while (written < issuedVoxel && !__any_sync(kAllLanes, ringPlace >= 0 && voxel == written)) {
        const int place = written % job.ringVoxels;
        const float unit = prepared[std::int64_t(written) * preparedFloats(job.order)];
        writeVoxel(job, first + written, unit, sums[place], ends + place * job.startCount, totals);
        __syncwarp();
        if (lane == 0) sums[place] = emptySummary();
        ++written;
        __syncwarp();
      }
      // Assigns new starts to the idle lanes, as far as the ring has room.
      int ahead = lanesBelow(idle) + issuedStart, mine = issuedVoxel;
      while (ahead >= job.startCount) ahead -= job.startCount, ++mine;
      const int limit = min(voxels, written + job.ringVoxels);
      if (walker.done && ringPlace < 0 && mine < limit) {
        voxel = mine;
        slot = mine % job.ringVoxels;
        ringPlace = slot * job.startCount + ahead;
        walker.load(prepared + std::int64_t(mine) * preparedFloats(job.order), job.starts[ahead]);
      }
      issuedStart += __popc(idle);
      while (issuedStart >= job.startCount) issuedStart -= job.startCount, ++issuedVoxel;
      if (issuedVoxel >= limit) issuedVoxel = limit, issuedStart = 0;
    }
#pragma unroll
    for (int i = 0; i < Lane::kSteps; ++i)
      if (!walker.done) walker.step();
  }
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
__global__ void prepare(const float* tensors, std::int64_t capacity, std::int64_t begin, std::int64_t end,
                        FiberOptions options, float* prepared) {
  constexpr int U = tensorEntries(Order);
  const std::int64_t voxel = begin + std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (voxel >= end) return;
  float entries[paddedEntries(Order)];
#pragma unroll
  for (int u = 0; u < paddedEntries(Order); ++u) entries[u] = u < U ? tensors[u * capacity + voxel] : 0;
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
void launchPrepare(PeakSlab& slab, std::int64_t begin, std::int64_t end, const FiberOptions& options,
                   const Stream& stream) {
  constexpr int threads = 128;
  prepare<Order><<<blocksFor(end - begin, threads), threads, 0, stream.get()>>>(
      slab.tensors.data(), slab.capacity, begin, end, options, slab.prepared.data());
  SULCUS_CUDA_LAUNCHED("prepare");
}

template <class Lane>
void launchSearch(SearchJob job, const Stream& stream) {
  job.ringVoxels = job.startCount <= 16 ? kLargestRing : job.startCount <= 128 ? 4 : 2;
  const int perWarp = job.ringVoxels * job.startCount * int(sizeof(LaneEnd));
  constexpr int kStaticShared = kWarps * (kLargestRing * sizeof(Summary) + sizeof(PeakTotals));
  const int warps = kWarps * perWarp <= (48 << 10) - kStaticShared ? kWarps : 1;
  int blocks = 0;
  SULCUS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, search<Lane>, kWarpSize * warps,
                                                            warps * perWarp));
  const std::int64_t grid = std::min<std::int64_t>(std::int64_t(multiprocessors()) * std::max(1, blocks),
                                                   ceilDivide(job.end - job.begin, warps));
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

void searchPeaks(PeakSlab& slab, std::int64_t begin, std::int64_t end, const Buffer<float>& starts,
                 const FiberOptions& options, const AmplitudeCut& cut, const float* residual,
                 const float* spread, const Stream& stream) {
  if (begin >= end) return;
  SearchJob job{};
  job.prepared = slab.prepared.data();
  job.starts = reinterpret_cast<const Vec3<float>*>(starts.data());
  job.startCount = int(starts.size() / 3);
  job.begin = begin, job.end = end, job.capacity = slab.capacity;
  job.order = slab.order, job.maxPeaks = slab.maxPeaks;
  job.relativeThreshold = float(options.relativeThreshold);
  job.mergeSine2 = mergeSine2(options);
  job.cut = cut, job.residual = residual, job.spread = spread;
  job.rules = {float(options.tolerance), options.maxIterations};
  job.peaks = slab.peaks.data(), job.amplitude = slab.amplitude.data(), job.count = slab.count.data();
  job.iterations = slab.iterations.data(), job.totals = slab.totals.data();
  withOrder(slab.order, [&](auto order) {
    launchPrepare<order>(slab, begin, end, options, stream);
    launchOrder<order>(job, options, stream);
  });
}

}  // namespace sulcus::gpu::fibers
