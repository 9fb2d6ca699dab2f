#include "gpu/runtime/memory_access.cuh"
#include "gpu/runtime/warp.cuh"
#include "gpu/surface/search_job.h"

#include <utility>

namespace sulcus::gpu::surface {
using namespace sulcus::surface;
inline namespace layout_kernels {

constexpr int kWarps = 8;  // per block, one position each.
constexpr int kBoxThreads = 128;

/// The word of a fragment, see SearchLayout::bytes, that holds values 4i … 4i + 3 of a position.
__device__ std::int64_t wordOf(std::int64_t position, int i, int steps) {
  const int step = i / 8, half = i % 8 / 4, lane = int(position % 8) * 4 + i % 4;
  return ((position / 8 * steps + step) * 32 + lane) * 2 + half;
}

__global__ void __launch_bounds__(kWarpSize* kWarps)
    layOutPositions(const __grid_constant__ PatchArrays from, PatchExtent* extent,
                    const __grid_constant__ SearchLayout to) {
  const std::int64_t position = std::int64_t(blockIdx.x) * kWarps + threadIdx.x / kWarpSize;
  if (position >= from.positions) return;
  const int lane = ownLane(), size = from.size, steps = stepsOf(size);
  const std::int32_t element = from.order[position];
  const float scale = extent->largest > 0 ? 127 / extent->largest : 1;
  const float* const patch = from.patches + std::int64_t(element) * size;
  int norm = 0;
  double squared = 0;
  for (int i = lane; i < 8 * steps; i += kWarpSize) {
    float values[4];
    std::uint32_t word = 0;
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      const float value = element >= 0 && 4 * i + b < size ? patch[4 * i + b] : 0;
      const int rounded = max(-127, min(127, __float2int_rn(scale * value)));
      values[b] = value;
      word |= std::uint32_t(rounded & 255) << 8 * b;
      norm += rounded * rounded;
      const double off = double(value) - double(rounded) / double(scale);
      squared += off * off;
    }
    storeFour(to.patches + 4 * (position * 8 * steps + i), {values[0], values[1], values[2], values[3]});
    to.bytes[wordOf(position, i, steps)] = word;
  }
  norm = sumOverLanes(norm);
  squared = sumOverLanes(squared);
  if (lane > 0) return;
  const float rounding = float(sqrt(squared) * 1.000001);
  to.norms[position] = element >= 0 ? norm : kPadding;
  to.roundings[position] = rounding;
  atomicRaise(&extent->rounding, rounding);
  Place place{0, 0, 0, element};
  if (element >= 0) {
    const Vec3<int> voxel = voxelAt(from.voxels[element], from.grid);
    place = {voxel.x, voxel.y, voxel.z, element};
  }
  to.places[position] = place;
}

/// One thread for each axis of each box.
__global__ void boxPositions(const float* coordinates, const std::int32_t* order, int each, AxisBox* boxes) {
  const int axis = threadIdx.x;
  float low = INFINITY, high = -INFINITY;
  for (int i = 0; i < each; ++i) {
    const std::int32_t element = order[std::int64_t(blockIdx.x) * each + i];
    if (element < 0) continue;
    const float value = coordinates[std::int64_t(element) * kCoordinates + axis];
    low = fminf(low, value);
    high = fmaxf(high, value);
  }
  boxes[blockIdx.x].low[axis] = low;
  boxes[blockIdx.x].high[axis] = high;
}

/// One thread per box.
__global__ void boxVoxels(const Place* places, std::int64_t boxCount, int each, VoxelBox* boxes) {
  const std::int64_t box = std::int64_t(blockIdx.x) * kBoxThreads + threadIdx.x;
  if (box >= boxCount) return;
  constexpr int most = 0x7fffffff;
  VoxelBox voxels{{most, most, most}, {-1, -1, -1}};
  for (int i = 0; i < each; ++i) {
    const Place place = places[box * each + i];
    if (place.element < 0) continue;
    const Vec3<int> at{place.x, place.y, place.z};
    for (int k = 0; k < 3; ++k) {
      voxels.low[k] = min(voxels.low[k], at[k]);
      voxels.high[k] = max(voxels.high[k], at[k]);
    }
  }
  boxes[box] = voxels;
}

constexpr int kGatherThreads = 256;

/// One thread per value.
__global__ void gatherValues(const float* phi, const PatchCenters centers, float* patches) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kGatherThreads + threadIdx.x;
  const int side = centers.side, size = side * side * side;
  if (i >= centers.count * size) return;
  const int within = int(i % size), reach = side / 2;
  const Vec3<int> offset{within % side - reach, within / side % side - reach, within / (side * side) - reach};
  patches[i] = phi[placeWithin(voxelAt(centers.voxels[i / size], centers.grid) + offset, centers.grid)];
}

constexpr int kJoinThreads = 256;

__global__ void joinBits(unsigned* own, const unsigned* other, std::int64_t values) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kJoinThreads + threadIdx.x;
  if (i < values) own[i] |= other[i];
}

}  // namespace layout_kernels

void joinLists(std::int32_t* own, const std::int32_t* other, std::int64_t values, const Stream& stream) {
  joinBits<<<blocksFor(values, kJoinThreads), kJoinThreads, 0, stream.get()>>>(
      reinterpret_cast<unsigned*>(own), reinterpret_cast<const unsigned*>(other), values);
  SULCUS_CUDA_LAUNCHED("joinBits");
}

void joinLists(float* own, const float* other, std::int64_t values, const Stream& stream) {
  joinBits<<<blocksFor(values, kJoinThreads), kJoinThreads, 0, stream.get()>>>(
      reinterpret_cast<unsigned*>(own), reinterpret_cast<const unsigned*>(other), values);
  SULCUS_CUDA_LAUNCHED("joinBits");
}

void gatherPatches(const float* phi, const PatchCenters& centers, float* patches, const Stream& stream) {
  const std::int64_t values = centers.count * centers.side * centers.side * centers.side;
  gatherValues<<<blocksFor(values, kGatherThreads), kGatherThreads, 0, stream.get()>>>(phi, centers, patches);
  SULCUS_CUDA_LAUNCHED("gatherValues");
}

void layOut(const PatchArrays& from, PatchExtent* extent, const SearchLayout& to, const Stream& stream) {
  const std::int64_t positions = from.positions;
  layOutPositions<<<blocksFor(positions, kWarps), kWarpSize * kWarps, 0, stream.get()>>>(from, extent, to);
  SULCUS_CUDA_LAUNCHED("layOutPositions");
  for (const auto& [each, boxes] : {std::pair(kTile, to.tiles), {kSubTile, to.subTiles}}) {
    boxPositions<<<unsigned(positions / each), kLeadingAxes, 0, stream.get()>>>(from.coordinates, from.order,
                                                                                each, boxes);
    SULCUS_CUDA_LAUNCHED("boxPositions");
  }
  for (const auto& [each, boxes] : {std::pair(kTile, to.tileVoxels), {kSubTile, to.subTileVoxels}}) {
    boxVoxels<<<blocksFor(positions / each, kBoxThreads), kBoxThreads, 0, stream.get()>>>(
        to.places, positions / each, each, boxes);
    SULCUS_CUDA_LAUNCHED("boxVoxels");
  }
}

}  // namespace sulcus::gpu::surface
