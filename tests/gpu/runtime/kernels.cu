#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/memory_access.cuh"
#include "gpu/runtime/warp.cuh"
#include "tests/gpu/runtime/kernels.h"

namespace sulcus::test {
namespace {

__global__ void nothing() {}

__global__ void answer(const float* values, WarpAnswer* answers) {
  __shared__ float raised;
  const int lane = gpu::ownLane();
  const float value = values[lane];
  if (lane == 0) raised = 0;
  __syncwarp();
  gpu::atomicRaise(&raised, fabsf(value));
  __syncwarp();
  const unsigned positive = __ballot_sync(gpu::kAllLanes, value > 0);
  answers[lane] = {gpu::sumOverLanes(value),      gpu::largestOverLanes(value),
                   gpu::smallestOverLanes(value), gpu::sumOverLanes<8>(value),
                   gpu::lanesBelow(positive),     gpu::fromOrderedBits(gpu::orderedBits(value)),
                   gpu::orderedBits(value),       raised};
}

}  // namespace

void addIndex(std::int64_t* values, std::int64_t count, const gpu::Stream& stream, const Progress& progress) {
  gpu::parallelFor(count, stream, progress, [=] __device__(std::int64_t i) { values[i] += i; });
}

void askWarp(const float* values, WarpAnswer* answers, const gpu::Stream& stream) {
  answer<<<1, gpu::kWarpSize, 0, stream.get()>>>(values, answers);
  SULCUS_CUDA_LAUNCHED("answer");
}

void launchTooLargeABlock(const gpu::Stream& stream) {
  nothing<<<1, 4096, 0, stream.get()>>>();
  SULCUS_CUDA_LAUNCHED("nothing");
}

}  // namespace sulcus::test
