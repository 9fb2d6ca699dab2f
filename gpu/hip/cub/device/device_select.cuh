#pragma once

#include "gpu/hip/cuda_runtime_api.h"

#include <rocprim/device/device_select.hpp>

namespace cub {

struct DeviceSelect {
  template <class Key, class Value, class Count>
  static hipError_t UniqueByKey(void* scratch, std::size_t& bytes, const Key* keys, const Value* values,
                                Key* ownKeys, Value* ownValues, Count* count, std::size_t all,
                                hipStream_t stream = nullptr) {
    return rocprim::unique_by_key(scratch, bytes, keys, values, ownKeys, ownValues, count, all,
                                  rocprim::equal_to<Key>(), stream);
  }
};

}  // namespace cub
