#include "gpu/runtime/launch.cuh"
#include "tests/gpu/runtime/kernels.h"

namespace sulcus::test {
namespace {

__global__ void nothing() {}

}  // namespace

void addIndex(std::int64_t* values, std::int64_t count, const gpu::Stream& stream, const Progress& progress) {
  gpu::parallelFor(count, stream, progress, [=] __device__(std::int64_t i) { values[i] += i; });
}

void launchTooLargeABlock(const gpu::Stream& stream) {
  nothing<<<1, 4096, 0, stream.get()>>>();
  SULCUS_CUDA_LAUNCHED("nothing");
}

}  // namespace sulcus::test
