#include "gpu/runtime/buffer.h"
#include "tests/bench/papers/device_seconds.h"
#include "tests/bench/papers/power_method_gpu.h"
#include "tests/bench/papers/power_method_kernel.h"

namespace sulcus::bench {
namespace {

/// The entries of a block's tensor in shared memory.
__device__ const float* sharedEntries(const float* entries, int count) {
  extern __shared__ float shared[];
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    shared[i] = entries[std::int64_t(blockIdx.x) * count + i];
  __syncthreads();
  return shared;
}

template <class Tensor>
__device__ void runStart(const Tensor& tensor, const float* starts, float alpha, int steps, float* vectors,
                         float* values) {
  const int n = tensor.dimension();
  float x[kMostDimensions];
  for (int i = 0; i < n; ++i) x[i] = starts[threadIdx.x * n + i];
  const float value = powerMethod(tensor, alpha, steps, x);
  const std::int64_t end = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  values[end] = value;
  for (int i = 0; i < n; ++i) vectors[end * n + i] = x[i];
}

__global__ void loopedPowerMethod(const float* entries, int count, int m, int n, const float* starts,
                                  float alpha, int steps, float* vectors, float* values) {
  runStart(LoopedTensor{sharedEntries(entries, count), m, n}, starts, alpha, steps, vectors, values);
}

template <int M, int N>
__global__ void unrolledPowerMethod(const float* entries, const float* starts, float alpha, int steps,
                                    float* vectors, float* values) {
  runStart(UnrolledTensor<M, N>{sharedEntries(entries, indexClassCount(M, N))}, starts, alpha, steps, vectors,
           values);
}

}  // namespace

PowerMethodEnds powerMethodOnGpu(const PowerMethodWork& work, bool unrolled) {
  gpu::requireDevice();
  const gpu::Stream stream;
  const int classes = indexClassCount(work.m, work.n), threads = work.startCount();
  const auto entries = gpu::uploaded(std::span<const float>(work.entries), stream);
  const auto starts = gpu::uploaded(std::span<const float>(work.starts), stream);
  PowerMethodEnds ends;
  ends.values.resize(std::size_t(work.tensors) * threads);
  ends.vectors.resize(ends.values.size() * work.n);
  gpu::Buffer<float> vectors(std::int64_t(ends.vectors.size()), stream),
      values(std::int64_t(ends.values.size()), stream);
  const std::size_t shared = classes * sizeof(float);
  const auto launch = [&] {
    if (!unrolled)
      loopedPowerMethod<<<work.tensors, threads, shared, stream.get()>>>(
          entries.data(), classes, work.m, work.n, starts.data(), work.alpha, work.steps, vectors.data(),
          values.data());
    else
      withUnrolled(
          work.m, work.n, [&]<int M, int N>(std::integral_constant<int, M>, std::integral_constant<int, N>) {
            unrolledPowerMethod<M, N><<<work.tensors, threads, shared, stream.get()>>>(
                entries.data(), starts.data(), work.alpha, work.steps, vectors.data(), values.data());
          });
    SULCUS_CUDA_LAUNCHED("powerMethod");
  };
  ends.seconds = medianDeviceSeconds(stream, launch);
  vectors.download(ends.vectors, stream);
  values.download(ends.values, stream);
  stream.synchronize();
  return ends;
}

}  // namespace sulcus::bench
