#include "gpu/runtime/blocks.h"
#include "gpu/runtime/warp.cuh"
#include "gpu/surface/flow_job.h"
#include "gpu/surface/search_job.h"

#include <algorithm>
#include <bit>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>

namespace sulcus::gpu::surface {
using namespace sulcus::surface;
inline namespace flow_kernels {

constexpr int kThreads = 256;
constexpr std::uint64_t kNowhere = ~0ull;  // sorted last
using Key = std::uint64_t;                 // from, then to

/// Number of bits of an element's index; the key of an edge has twice as many.
int bitsOf(std::int64_t elements) { return int(std::bit_width(std::uint64_t(elements))); }

/// Makes the edges from each element to its neighbors and, if symmetric, the reverse edges after them.
__global__ void makeEdges(const __grid_constant__ FlowNeighbors from, const FlowWeights law, int bits,
                          Key* keys, float* weights) {
  const std::int64_t all = from.elements * from.count;
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= all) return;
  const std::int64_t own = i / from.count, other = from.index[i];
  const double distance2 = squaredVoxelDistance(voxelAt(from.voxels[own], from.grid),
                                                voxelAt(from.voxels[other], from.grid), from.spacing);
  const float weight = patchWeight(distance2, double(from.distance[i]), law.c1, law.c2);
  keys[i] = own == other ? kNowhere : Key(own) << bits | Key(other);
  weights[i] = weight;
  if (!law.symmetric) return;
  keys[all + i] = own == other ? kNowhere : Key(other) << bits | Key(own);
  weights[all + i] = weight;
}

/// Finds where the edges from each element begin, and where the last ones end.
__global__ void findRows(const Key* keys, const std::int64_t* edges, int bits, std::int64_t elements,
                         std::int64_t* first) {
  const std::int64_t element = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (element > elements) return;
  std::int64_t low = 0, high = *edges;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (keys[middle] < Key(element) << bits)
      low = middle + 1;
    else
      high = middle;
  }
  first[element] = low;
}

__global__ void takeIndex(const Key* keys, std::int64_t edges, int bits, std::int32_t* index) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < edges) index[i] = std::int32_t(keys[i] & ((Key(1) << bits) - 1));
}

/// Sums the weights of each row of the graph, one warp per row.
__global__ void sumRows(const std::int64_t* first, const float* weight, std::int64_t elements, double* sums) {
  const std::int64_t row = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / kWarpSize;
  if (row >= elements) return;
  double sum = 0;
  for (std::int64_t i = first[row] + ownLane(); i < first[row + 1]; i += kWarpSize) sum += double(weight[i]);
  sum = sumOverLanes(sum);
  if (ownLane() == 0) sums[row] = sum;
}

/// The edges of row r are first[r] … first[r + 1] − 1.
struct GraphView {
  const std::int64_t* first;
  const std::int32_t* index;
  const float* weight;
  std::int64_t elements;
};

/// Takes a heat step, one warp per row of the graph.
__global__ void heatRows(const GraphView graph, double step, const float* phi, float* next,
                         double* energies) {
  const std::int64_t row = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / kWarpSize;
  if (row >= graph.elements) return;
  const double here = phi[row];
  double flow = 0, energy = 0;
  for (std::int64_t i = graph.first[row] + ownLane(); i < graph.first[row + 1]; i += kWarpSize) {
    const double difference = phi[graph.index[i]] - here, part = double(graph.weight[i]) * difference;
    flow += part;
    energy += part * difference;
  }
  flow = sumOverLanes(flow);
  energy = sumOverLanes(energy);
  if (ownLane() > 0) return;
  next[row] = float(here + step * flow);
  energies[row] = 0.5 * energy;
}

struct ScratchBytes {
  std::size_t sort = 0, select = 0, most = 0, sum = 0;

  explicit ScratchBytes(std::int64_t edges, std::int64_t elements) {
    Key* keys = nullptr;
    float* weights = nullptr;
    double* sums = nullptr;
    std::int64_t* count = nullptr;
    SULCUS_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, sort, keys, keys, weights, weights, edges));
    SULCUS_CUDA(cub::DeviceSelect::UniqueByKey(nullptr, select, keys, weights, keys, weights, count, edges));
    SULCUS_CUDA(cub::DeviceReduce::Max(nullptr, most, sums, sums, elements));
    SULCUS_CUDA(cub::DeviceReduce::Sum(nullptr, sum, sums, sums, elements));
  }
  std::int64_t largest() const { return std::int64_t(std::max({sort, select, most, sum})); }
};

}  // namespace flow_kernels

std::int64_t DeviceGraph::bytes(std::int64_t elements, int count, bool symmetric) {
  const std::int64_t edges = elements * count * (symmetric ? 2 : 1);
  return edges * 2 * std::int64_t(sizeof(Key) + sizeof(float)) + edges * 8 + elements * 32 +
         sortScratchBytes(edges, sizeof(Key) + sizeof(float)) + (1 << 20);
}

DeviceGraph::DeviceGraph(const FlowNeighbors& neighbors, const FlowWeights& law, const Stream& stream)
    : elements_(neighbors.elements), first_(elements_ + 1, stream), rows_(elements_ + 1, stream) {
  const std::int64_t own = elements_ * neighbors.count, all = own * (law.symmetric ? 2 : 1);
  const ScratchBytes scratch(all, elements_);
  scratch_ = Buffer<unsigned char>(std::max<std::int64_t>(scratch.largest(), 1), stream);
  if (all == 0) {
    first_.fillBytes(0, stream);
    return;
  }
  const int bits = bitsOf(elements_);
  Buffer<Key> keys(all, stream), sorted(all, stream);
  Buffer<float> weights(all, stream), sortedWeights(all, stream);
  Buffer<std::int64_t> selected(1, stream);
  makeEdges<<<blocksFor(own, kThreads), kThreads, 0, stream.get()>>>(neighbors, law, bits, keys.data(),
                                                                     weights.data());
  SULCUS_CUDA_LAUNCHED("makeEdges");
  std::size_t bytes = scratch.sort;
  SULCUS_CUDA(cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, keys.data(), sorted.data(),
                                              weights.data(), sortedWeights.data(), all, 0, 2 * bits,
                                              stream.get()));
  bytes = scratch.select;
  SULCUS_CUDA(cub::DeviceSelect::UniqueByKey(scratch_.data(), bytes, sorted.data(), sortedWeights.data(),
                                             keys.data(), weights.data(), selected.data(), all,
                                             stream.get()));
  findRows<<<blocksFor(elements_ + 1, kThreads), kThreads, 0, stream.get()>>>(keys.data(), selected.data(),
                                                                              bits, elements_, first_.data());
  SULCUS_CUDA_LAUNCHED("findRows");
  std::int64_t edges = 0;
  SULCUS_CUDA(
      cudaMemcpyAsync(&edges, first_.data() + elements_, sizeof edges, cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  index_ = Buffer<std::int32_t>(edges, stream);
  weight_ = std::move(weights);
  if (edges == 0) return;
  takeIndex<<<blocksFor(edges, kThreads), kThreads, 0, stream.get()>>>(keys.data(), edges, bits,
                                                                       index_.data());
  SULCUS_CUDA_LAUNCHED("takeIndex");
  sumRows<<<blocksFor(kWarpSize * elements_, kThreads), kThreads, 0, stream.get()>>>(
      first_.data(), weight_.data(), elements_, rows_.data());
  SULCUS_CUDA_LAUNCHED("sumRows");
  bytes = scratch.most;
  double* const result = rows_.data() + elements_;
  SULCUS_CUDA(cub::DeviceReduce::Max(scratch_.data(), bytes, rows_.data(), result, elements_, stream.get()));
  double largest = 0;
  SULCUS_CUDA(cudaMemcpyAsync(&largest, result, sizeof largest, cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  step_ = heatStepOver(largest, law.symmetric, neighbors.count);
}

void DeviceGraph::heat(const float* phi, float* next, double* energy, const Stream& stream) {
  heatRows<<<blocksFor(kWarpSize * elements_, kThreads), kThreads, 0, stream.get()>>>(
      {first_.data(), index_.data(), weight_.data(), elements_}, step_, phi, next, rows_.data());
  SULCUS_CUDA_LAUNCHED("heatRows");
  std::size_t bytes = std::size_t(scratch_.bytes());
  SULCUS_CUDA(cub::DeviceReduce::Sum(scratch_.data(), bytes, rows_.data(), energy, elements_, stream.get()));
}

}  // namespace sulcus::gpu::surface
