#pragma once

#include "core/base/error.h"

#include <cuda_runtime_api.h>

namespace sulcus::gpu {

/// A CUDA call failed although the device exists and memory was checked (unavailable): the device or its
/// driver failed, or the program made an invalid request.
struct CudaError : Error {
  CudaError(cudaError_t code, const char* call, const char* file, int line);
};

/// Throws CudaError unless `code` is success. Clears the runtime's last error, so that the next call starts
/// clean.
inline void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw CudaError(code, call, file, line);
}

}  // namespace sulcus::gpu

/// Runs a CUDA call and throws Error with the call, the reason and file:line if it fails.
#define SULCUS_CUDA(call) ::sulcus::gpu::check((call), #call, __FILE__, __LINE__)
/// For use after a kernel launch: throws if it could not be launched. Faults inside it surface at the next
/// synchronization.
#define SULCUS_CUDA_LAUNCHED(kernel) \
  ::sulcus::gpu::check(cudaGetLastError(), "launch of " kernel, __FILE__, __LINE__)
