#include "gpu/runtime/memory_access.cuh"
#include "gpu/runtime/warp.cuh"
#include "gpu/surface/search_job.h"

#include <algorithm>
#include <bit>

#include <cub/device/device_radix_sort.cuh>

namespace sulcus::gpu::surface {
using namespace sulcus::surface;
inline namespace order_kernels {

constexpr int kProjected = 32;  // patches per block, one thread each
constexpr int kOrderBits = 18;  // bits of the coordinate that is sorted by, within its segment
constexpr int kPieceThreads = 512, kOrderThreads = 256;

__global__ void projectBlock(const PatchBand band, const double* axes, float* coordinates,
                             PatchExtent* extent) {
  const int size = band.size;
  __shared__ float values[kProjected * kMostPatchValues];
  const std::int64_t first = std::int64_t(blockIdx.x) * kProjected;
  const int here = int(min(std::int64_t(kProjected), band.count - first));
  float largest = 0, farthest = 0;
  for (int i = threadIdx.x; i < here * size; i += blockDim.x) {
    values[i] = band.patches[first * size + i];
    largest = fmaxf(largest, fabsf(values[i]));
  }
  __syncthreads();
  const int patch = threadIdx.x % kProjected, part = threadIdx.x / kProjected;
  if (patch < here)
    for (int a = part; a < kCoordinates; a += blockDim.x / kProjected) {
      double along = 0;
      if (a < kLeadingAxes)
        for (int i = 0; i < size; ++i) along += __ldg(axes + a * size + i) * values[patch * size + i];
      coordinates[(first + patch) * kCoordinates + a] = float(along);
      farthest = fmaxf(farthest, fabsf(float(along)));
    }
  largest = largestOverLanes(largest);
  farthest = largestOverLanes(farthest);
  if (ownLane() > 0) return;
  atomicRaise(&extent->largest, largest);
  atomicRaise(&extent->coordinate, farthest);
}

/// The ends of the order of orderedBits().
constexpr int kLowestBits = int(0x80000000), kHighestBits = 0x7fffffff;

/// A box being collected, in orderedBits().
struct OrderedBox {
  int low[kLeadingAxes], high[kLeadingAxes];

  __device__ void clear(int axis) {
    low[axis] = kHighestBits;
    high[axis] = kLowestBits;
  }
  __device__ int widest() const {
    int axis = 0;
    float most = -1;
    for (int a = 0; a < kLeadingAxes; ++a) {
      const float width = fromOrderedBits(high[a]) - fromOrderedBits(low[a]);
      if (low[a] <= high[a] && width > most) {
        most = width;
        axis = a;
      }
    }
    return axis;
  }
};
static_assert(sizeof(OrderedBox) == sizeof(AxisBox));

/// Extends `box` by the elements (−1: none) of a warp's lanes. Must be called by all lanes.
__device__ void include(OrderedBox& box, std::int32_t element, const float* coordinates) {
  for (int a = 0; a < kLeadingAxes; ++a) {
    const bool has = element >= 0;
    const int bits = has ? orderedBits(coordinates[std::int64_t(element) * kCoordinates + a]) : 0;
    const int low = smallestOverLanes(has ? bits : kHighestBits);
    const int high = largestOverLanes(has ? bits : kLowestBits);
    if (ownLane() > 0) continue;
    atomicMin(&box.low[a], low);
    atomicMax(&box.high[a], high);
  }
}

__global__ void clearBoxes(OrderedBox* boxes) { boxes[blockIdx.x].clear(threadIdx.x); }

/// One block per piece: the box of its segment.
__global__ void collectBoxes(const std::int32_t* order, std::int64_t count, const float* coordinates,
                             const int* segmentOf, OrderedBox* boxes) {
  __shared__ OrderedBox box;
  if (threadIdx.x < kLeadingAxes) box.clear(threadIdx.x);
  __syncthreads();
  for (int i = threadIdx.x; i < kPiece; i += blockDim.x) {
    const std::int64_t position = std::int64_t(blockIdx.x) * kPiece + i;
    include(box, position < count ? order[position] : -1, coordinates);
  }
  __syncthreads();
  if (threadIdx.x < kLeadingAxes) {
    OrderedBox& whole = boxes[segmentOf[blockIdx.x]];
    atomicMin(&whole.low[threadIdx.x], box.low[threadIdx.x]);
    atomicMax(&whole.high[threadIdx.x], box.high[threadIdx.x]);
  }
}

/// Segment, then coordinate along its widest axis.
__global__ void makeKeys(const std::int32_t* order, std::int64_t count, const float* coordinates,
                         const int* segmentOf, const OrderedBox* boxes, std::uint32_t* keys) {
  const std::int64_t position = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (position >= count) return;
  const int segment = segmentOf[position / kPiece];
  const OrderedBox& box = boxes[segment];
  const int axis = box.widest();
  const float low = fromOrderedBits(box.low[axis]), width = fromOrderedBits(box.high[axis]) - low;
  const float at = coordinates[std::int64_t(order[position]) * kCoordinates + axis] - low;
  constexpr float most = (1 << kOrderBits) - 1;
  const auto along = std::uint32_t(width > 0 ? fminf(most, at / width * most) : 0);
  keys[position] = std::uint32_t(segment) << kOrderBits | along;
}

__global__ void countUp(std::int32_t* order, std::int64_t count, std::int64_t positions) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < positions) order[i] = i < count ? std::int32_t(i) : -1;
}

/// Sorts each run of `run` keys of a piece, and their elements with them, by the bitonic method.
__device__ __forceinline__ void sortRuns(float* keys, std::int32_t* elements, int run) {
  const auto sortPair = [&](int a, int b, bool rising) {
    if (rising ? !(keys[b] < keys[a]) : !(keys[a] < keys[b])) return;
    const float key = keys[a];
    keys[a] = keys[b];
    keys[b] = key;
    const std::int32_t element = elements[a];
    elements[a] = elements[b];
    elements[b] = element;
  };
  for (int sorted = 2; sorted <= run; sorted *= 2)
    for (int stride = sorted / 2; stride > 0; stride /= 2) {
      for (int pair = threadIdx.x; pair < kPiece / 2; pair += kPieceThreads) {
        const int a = 2 * stride * (pair / stride) + pair % stride;
        sortPair(a, a + stride, (a & (run - 1) & sorted) == 0);
      }
      __syncthreads();
    }
}

/// Splits runs of a piece at the median of their widest axis until they are sub-tiles.
__global__ void __launch_bounds__(kPieceThreads) orderPiece(std::int32_t* order, const float* coordinates) {
  __shared__ float keys[kPiece];
  __shared__ std::int32_t elements[kPiece];
  __shared__ OrderedBox boxes[kPiece / (2 * kSubTile)];
  order += std::int64_t(blockIdx.x) * kPiece;
  const int t = threadIdx.x;
  for (int i = t; i < kPiece; i += kPieceThreads) elements[i] = order[i];
  for (int run = kPiece; run > kSubTile; run /= 2) {
    for (int i = t; i < kPiece / run * kLeadingAxes; i += kPieceThreads)
      boxes[i / kLeadingAxes].clear(i % kLeadingAxes);
    __syncthreads();
    for (int i = t; i < kPiece; i += kPieceThreads) include(boxes[i / run], elements[i], coordinates);
    __syncthreads();
    for (int i = t; i < kPiece; i += kPieceThreads)
      keys[i] = elements[i] < 0
                    ? INFINITY
                    : coordinates[std::int64_t(elements[i]) * kCoordinates + boxes[i / run].widest()];
    __syncthreads();
    sortRuns(keys, elements, run);
  }
  for (int i = t; i < kPiece; i += kPieceThreads) order[i] = elements[i];
}

std::size_t sortBytes(std::int64_t count) {
  std::size_t bytes = 0;
  SULCUS_CUDA((cub::DeviceRadixSort::SortPairs<std::uint32_t, std::int32_t>(nullptr, bytes, nullptr, nullptr,
                                                                            nullptr, nullptr, int(count))));
  return bytes;
}

/// The segments of each level, each split in half at the next: for each piece the one that it lies in.
std::vector<int> segmentsOf(std::int64_t pieces, std::vector<int>& counts) {
  std::vector<int> all, level(std::size_t(pieces), 0);
  for (int count = 1; count < pieces;) {
    counts.push_back(count);
    all.insert(all.end(), level.begin(), level.end());
    std::vector<int> next;
    int segments = 0;
    for (std::size_t begin = 0, end; begin < level.size(); begin = end) {
      end = std::size_t(std::upper_bound(level.begin(), level.end(), level[begin]) - level.begin());
      const std::size_t middle = begin + (end - begin) / 2;
      next.insert(next.end(), middle - begin, segments);
      if (middle > begin) ++segments;
      next.insert(next.end(), end - middle, segments++);
    }
    level = std::move(next);
    count = segments;
  }
  return all;
}

}  // namespace order_kernels

void projectPatches(const PatchBand& band, const double* axes, float* coordinates, PatchExtent* extent,
                    const Stream& stream) {
  projectBlock<<<blocksFor(band.count, kProjected), 4 * kProjected, 0, stream.get()>>>(band, axes,
                                                                                       coordinates, extent);
  SULCUS_CUDA_LAUNCHED("projectBlock");
}

PatchOrder::PatchOrder(std::int64_t count, const Stream& stream)
    : count_(count), pieces_(ceilDivide(count, kPiece)) {
  if (count_ <= kFewPositions) return;
  keys_ = Buffer<std::uint32_t>(count, stream);
  otherKeys_ = Buffer<std::uint32_t>(count, stream);
  otherOrder_ = Buffer<std::int32_t>(count, stream);
  const std::vector<int> segments = segmentsOf(pieces_, counts_);
  segments_ = uploaded<int>(segments, stream);
  boxes_ = Buffer<AxisBox>(pieces_, stream);
  scratch_ = Buffer<unsigned char>(std::int64_t(sortBytes(count)), stream);
  stream.synchronize();  // `segments` goes out of scope
}

std::int64_t PatchOrder::bytes(std::int64_t count) {
  if (count <= kFewPositions) return 0;
  const std::int64_t pieces = ceilDivide(count, kPiece);
  const auto levels = std::int64_t(std::bit_width(std::uint64_t(pieces)));
  return 12 * count + pieces * (std::int64_t(sizeof(AxisBox)) + 4 * levels) + sortScratchBytes(count, 8);
}

void PatchOrder::make(const float* coordinates, std::int32_t* order, const Stream& stream) {
  countUp<<<blocksFor(pieces_ * kPiece, kOrderThreads), kOrderThreads, 0, stream.get()>>>(order, count_,
                                                                                          pieces_ * kPiece);
  SULCUS_CUDA_LAUNCHED("countUp");
  if (count_ <= kFewPositions) return;
  auto* const boxes = reinterpret_cast<OrderedBox*>(boxes_.data());
  const int* segmentOf = segments_.data();
  for (const int segments : counts_) {
    clearBoxes<<<unsigned(segments), kLeadingAxes, 0, stream.get()>>>(boxes);
    SULCUS_CUDA_LAUNCHED("clearBoxes");
    collectBoxes<<<unsigned(pieces_), kOrderThreads, 0, stream.get()>>>(order, count_, coordinates, segmentOf,
                                                                        boxes);
    SULCUS_CUDA_LAUNCHED("collectBoxes");
    makeKeys<<<blocksFor(count_, kOrderThreads), kOrderThreads, 0, stream.get()>>>(
        order, count_, coordinates, segmentOf, boxes, keys_.data());
    SULCUS_CUDA_LAUNCHED("makeKeys");
    std::size_t bytes = std::size_t(scratch_.bytes());
    SULCUS_CUDA(cub::DeviceRadixSort::SortPairs(
        scratch_.data(), bytes, keys_.data(), otherKeys_.data(), order, otherOrder_.data(), int(count_), 0,
        kOrderBits + int(std::bit_width(unsigned(segments))), stream.get()));
    SULCUS_CUDA(cudaMemcpyAsync(order, otherOrder_.data(), std::size_t(count_) * sizeof(std::int32_t),
                                cudaMemcpyDeviceToDevice, stream.get()));
    segmentOf += pieces_;
  }
  orderPiece<<<unsigned(pieces_), kPieceThreads, 0, stream.get()>>>(order, coordinates);
  SULCUS_CUDA_LAUNCHED("orderPiece");
}

}  // namespace sulcus::gpu::surface
