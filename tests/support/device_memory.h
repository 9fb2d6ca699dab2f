#pragma once

#include "gpu/runtime/check.h"

#include <cstdint>

#include <cuda_runtime_api.h>

namespace sulcus::test {

/// Bytes that buffers hold on the current device.
inline std::int64_t deviceBytesInUse() {
  int device = 0;
  SULCUS_CUDA(cudaGetDevice(&device));
  cudaMemPool_t pool = nullptr;
  SULCUS_CUDA(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t used = 0;
  SULCUS_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  return std::int64_t(used);
}

/// The most bytes that buffers hold during work() beyond those that they hold before.
template <class Work>
std::int64_t mostDeviceMemory(const Work& work) {
  int device = 0;
  SULCUS_CUDA(cudaGetDevice(&device));
  cudaMemPool_t pool = nullptr;
  SULCUS_CUDA(cudaDeviceGetDefaultMemPool(&pool, device));
  const std::int64_t before = deviceBytesInUse();
  std::uint64_t most = 0;  // the only value that it may be set to
  SULCUS_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most));
  work();
  SULCUS_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most));
  return std::int64_t(most) - before;
}

}  // namespace sulcus::test
