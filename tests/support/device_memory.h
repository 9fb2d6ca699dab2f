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

}  // namespace sulcus::test
