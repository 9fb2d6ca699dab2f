#include "core/math/reproducible_division.h"
#include "core/math/simd.h"
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

__device__ bool isQuotient(float a, float b) {
  const float expected = a / b, found = quotient(a, b);
  return bitsOf(found) == bitsOf(expected) || (found == 0 && expected == 0);
}

__global__ void countWrong(unsigned long long* wrong) {
  const std::uint64_t first = std::uint64_t(blockIdx.x) * blockDim.x + threadIdx.x, every = 1ull << 32;
  for (std::uint64_t bits = first; bits < every; bits += std::uint64_t(gridDim.x) * blockDim.x) {
    const float a = floatOf(std::uint32_t(bits));
    const bool right = (!(fabsf(a) <= 0.5f) || isQuotient(a, 2 + a)) &&
                       (!(a > -0.99f && a < 1e6f) || isQuotient(a, 1 + a)) &&
                       (!(a >= 1e-3f && a < 1e6f) || isQuotient(1, a));
    if (!right) atomicAdd(wrong, 1ull);
  }
}

}  // namespace

void countWrongQuotients(unsigned long long* wrong, const gpu::Stream& stream) {
  countWrong<<<2048, 256, 0, stream.get()>>>(wrong);
  SULCUS_CUDA_LAUNCHED("countWrong");
}

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
