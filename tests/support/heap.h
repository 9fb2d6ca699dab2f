#pragma once

#include <cstddef>

#include <malloc.h>

namespace sulcus::test {

/// Bytes that this process has allocated and not freed; 0 where another allocator than the C library's counts
/// (sanitizers).
inline std::size_t heapInUse() {
  const auto now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

}  // namespace sulcus::test
