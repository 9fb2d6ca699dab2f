#pragma once

// The CUDA runtime mapped to HIP, for AMD's compiler (hipcc), which finds this header in place of NVIDIA's
// (tests/cross/hip): the rest of gpu is unaware of it. What compiles so far: resources/design/platforms.md.

#include <tuple>
#include <utility>

#include <hip/hip_runtime.h>

static_assert(__AMDGCN_WAVEFRONT_SIZE == 32, "kernels count on warps of 32 lanes");

#ifndef __CUDACC__
#define __CUDACC__  // functions are compiled for host and device (core/base/host_device.h)
#endif

// Eigen would include NVIDIA headers.
#define EIGEN_NO_CUDA
#define EIGEN_NO_HIP

// HIP's own counts its arguments by commas, those of templates too.
#undef __launch_bounds__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

// Kernel parameters are in constant memory anyway.
#define __grid_constant__

using cudaError_t = hipError_t;
using cudaStream_t = hipStream_t;
using cudaEvent_t = hipEvent_t;
using cudaMemPool_t = hipMemPool_t;
using cudaDeviceProp = hipDeviceProp_t;
using cudaFuncAttributes = hipFuncAttributes;
using cudaMemcpyKind = hipMemcpyKind;
using cudaDeviceAttr = hipDeviceAttribute_t;
constexpr auto cudaSuccess = hipSuccess;
constexpr auto cudaMemcpyHostToDevice = hipMemcpyHostToDevice;
constexpr auto cudaMemcpyDeviceToHost = hipMemcpyDeviceToHost;
constexpr auto cudaMemcpyDeviceToDevice = hipMemcpyDeviceToDevice;
constexpr unsigned cudaStreamNonBlocking = hipStreamNonBlocking;
constexpr unsigned cudaEventDisableTiming = hipEventDisableTiming;
constexpr auto cudaFuncAttributeMaxDynamicSharedMemorySize = hipFuncAttributeMaxDynamicSharedMemorySize;
constexpr auto cudaDevAttrMultiProcessorCount = hipDeviceAttributeMultiprocessorCount;
constexpr auto cudaDevAttrMaxSharedMemoryPerBlockOptin = hipDeviceAttributeMaxSharedMemoryPerBlock;

#define cudaGetLastError hipGetLastError
#define cudaGetErrorString hipGetErrorString
#define cudaGetErrorName hipGetErrorName
#define cudaGetDevice hipGetDevice
#define cudaSetDevice hipSetDevice
#define cudaGetDeviceCount hipGetDeviceCount
#define cudaDeviceGetAttribute hipDeviceGetAttribute
#define cudaMallocAsync hipMallocAsync
#define cudaFreeAsync hipFreeAsync
#define cudaFree hipFree
#define cudaMallocHost(memory, bytes) hipHostMalloc(memory, bytes, hipHostMallocDefault)
#define cudaFreeHost hipHostFree
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemcpy2DAsync hipMemcpy2DAsync
#define cudaMemcpyPeerAsync hipMemcpyPeerAsync
#define cudaMemsetAsync hipMemsetAsync
#define cudaMemGetInfo hipMemGetInfo
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStreamDestroy hipStreamDestroy
#define cudaStreamWaitEvent(stream, event) hipStreamWaitEvent(stream, event, 0)
#define cudaEventCreate hipEventCreate
#define cudaEventCreateWithFlags hipEventCreateWithFlags
#define cudaEventDestroy hipEventDestroy
#define cudaEventRecord hipEventRecord
#define cudaEventSynchronize hipEventSynchronize
#define cudaEventElapsedTime hipEventElapsedTime
#define cudaFuncSetAttribute(kernel, ...) \
  hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), __VA_ARGS__)
#define cudaFuncGetAttributes(attributes, kernel) \
  hipFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel))
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor hipOccupancyMaxActiveBlocksPerMultiprocessor

struct cudaLaunchAttribute {
  int id = 0;
  struct {
    bool cooperative = false;
  } val;
};
constexpr int cudaLaunchAttributeCooperative = 1;
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes = 0;
  hipStream_t stream = nullptr;
  const cudaLaunchAttribute* attrs = nullptr;
  unsigned numAttrs = 0;
};
template <class... Parameters, class... Args>
hipError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                              Args&&... args) {
  std::tuple<Parameters...> given(std::forward<Args>(args)...);
  return std::apply(
      [&](auto&... each) {
        void* pointers[] = {&each...};
        const auto of = reinterpret_cast<const void*>(kernel);
        if (config->numAttrs > 0 && config->attrs->val.cooperative)
          return hipLaunchCooperativeKernel(of, config->gridDim, config->blockDim, pointers,
                                            unsigned(config->dynamicSmemBytes), config->stream);
        return hipLaunchKernel(of, config->gridDim, config->blockDim, pointers, config->dynamicSmemBytes,
                               config->stream);
      },
      given);
}

// The lanes of a wavefront run in lockstep, so they need no mask.
#define __syncwarp(...) __builtin_amdgcn_wave_barrier()
#define __shfl_sync(mask, ...) __shfl(__VA_ARGS__)
#define __shfl_xor_sync(mask, ...) __shfl_xor(__VA_ARGS__)
#define __shfl_up_sync(mask, ...) __shfl_up(__VA_ARGS__)
#define __shfl_down_sync(mask, ...) __shfl_down(__VA_ARGS__)
#define __ballot_sync(mask, is) unsigned(__ballot(is))
#define __any_sync(mask, is) __any(is)
#define __all_sync(mask, is) __all(is)
template <class T>
__device__ inline T __ldcg(const T* at) {
  return __builtin_nontemporal_load(at);
}
