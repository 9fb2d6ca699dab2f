#pragma once

#include "core/base/host_device.h"

// How many blocks of threads, tiles or vectors hold so many things.

namespace sulcus::gpu {

/// count / size, rounded up, for integers count ≥ 0 and size > 0.
template <class Count, class Size>
SULCUS_HD constexpr auto ceilDivide(Count count, Size size) {
  return (count + size - 1) / size;
}

/// The smallest multiple of `size` that is not below `count`.
template <class Count, class Size>
SULCUS_HD constexpr auto roundedUp(Count count, Size size) {
  return ceilDivide(count, size) * size;
}

/// Blocks of a launch with a thread for each of `count` things, `threads` in a block.
template <class Count>
constexpr unsigned blocksFor(Count count, int threads) {
  return unsigned(ceilDivide(count, threads));
}

}  // namespace sulcus::gpu
