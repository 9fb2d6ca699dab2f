#pragma once

// The part of NVIDIA's CUB that gpu uses, by rocPRIM (Debian: librocprim-dev).

#include "gpu/hip/cuda_runtime_api.h"

#include <rocprim/device/device_radix_sort.hpp>

namespace cub {

template <class T>
struct DoubleBuffer : rocprim::double_buffer<T> {
  using rocprim::double_buffer<T>::double_buffer;
  T* Current() const { return this->current(); }
};

struct DeviceRadixSort {
  template <class Key, class Size>
  static hipError_t SortKeys(void* scratch, std::size_t& bytes, DoubleBuffer<Key>& keys, Size count,
                             int first = 0, int end = 8 * sizeof(Key), hipStream_t stream = nullptr) {
    return rocprim::radix_sort_keys(scratch, bytes, static_cast<rocprim::double_buffer<Key>&>(keys), count,
                                    first, end, stream);
  }
  template <class Key, class Value, class Size>
  static hipError_t SortPairs(void* scratch, std::size_t& bytes, const Key* keys, Key* sorted,
                              const Value* values, Value* sortedValues, Size count, int first = 0,
                              int end = 8 * sizeof(Key), hipStream_t stream = nullptr) {
    return rocprim::radix_sort_pairs(scratch, bytes, keys, sorted, values, sortedValues, count, first, end,
                                     stream);
  }
};

}  // namespace cub
