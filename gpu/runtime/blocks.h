#pragma once

#include "core/base/host_device.h"

// Numbers of blocks, tiles or vectors that hold a given number of elements.

namespace sulcus::gpu {

/// count / size, rounded up, for integers count ≥ 0 and size > 0.
template <class Count, class Size>
SULCUS_HD constexpr auto ceilDivide(Count count, Size size) {
  return (count + size - 1) / size;
}

/// The smallest multiple of `size` that is at least `count`.
template <class Count, class Size>
SULCUS_HD constexpr auto roundedUp(Count count, Size size) {
  return ceilDivide(count, size) * size;
}

/// Number of blocks in a launch with one thread for each of `count` elements and `threads` threads per block.
template <class Count>
constexpr unsigned blocksFor(Count count, int threads) {
  return unsigned(ceilDivide(count, threads));
}

}  // namespace sulcus::gpu
