#pragma once

#include "gpu/hip/cuda_runtime_api.h"

#include <rocprim/device/device_reduce.hpp>

namespace cub {

struct DeviceReduce {
  template <class From, class To>
  static hipError_t Max(void* scratch, std::size_t& bytes, const From* from, To* to, std::size_t count,
                        hipStream_t stream = nullptr) {
    return rocprim::reduce(scratch, bytes, from, to, count, rocprim::maximum<From>(), stream);
  }
  template <class From, class To>
  static hipError_t Sum(void* scratch, std::size_t& bytes, const From* from, To* to, std::size_t count,
                        hipStream_t stream = nullptr) {
    return rocprim::reduce(scratch, bytes, from, to, count, rocprim::plus<From>(), stream);
  }
};

}  // namespace cub
