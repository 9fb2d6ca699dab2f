#include "tests/bench/papers/device_facts.h"

#include "gpu/runtime/check.h"
#include "gpu/runtime/device.h"

namespace sulcus::bench {

DeviceFacts deviceFacts() {
  gpu::requireDevice();
  int device = 0;
  SULCUS_CUDA(cudaGetDevice(&device));
  cudaDeviceProp properties{};
  SULCUS_CUDA(cudaGetDeviceProperties(&properties, device));
  return {properties.regsPerMultiprocessor, std::int64_t(properties.sharedMemPerMultiprocessor),
          std::int64_t(properties.totalConstMem), properties.l2CacheSize, properties.multiProcessorCount};
}

}  // namespace sulcus::bench
