#pragma once

#include "gpu/runtime/batches.h"
#include "gpu/runtime/blocks.h"

#include <cstdint>

// For files compiled by nvcc only.

namespace sulcus::gpu {

namespace detail {

template <class Body>
__global__ void forEach(std::int64_t begin, std::int64_t end, Body body) {
  const std::int64_t i = begin + std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < end) body(i);
}

}  // namespace detail

/// Calls `body(i)` on the device for every i in [0, count): a __device__ lambda or functor that is copied
/// there, so what it points to must be device memory. Cancellation and progress as in inBatches(); returns
/// when all is done.
template <class Body>
void parallelFor(std::int64_t count, const Stream& stream, const Progress& progress, Body body) {
  constexpr int threads = 256;
  inBatches(count, stream, progress, 1 << 20, [&](std::int64_t begin, std::int64_t end) {
    detail::forEach<<<blocksFor(end - begin, threads), threads, 0, stream.get()>>>(begin, end, body);
    SULCUS_CUDA_LAUNCHED("parallelFor");
  });
}

}  // namespace sulcus::gpu
