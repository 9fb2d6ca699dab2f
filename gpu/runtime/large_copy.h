#pragma once

#include "gpu/runtime/stream.h"

#include <cstddef>

namespace sulcus::gpu {

/// Copies of at least this many bytes are worth copyLarge().
inline constexpr std::size_t kLargeCopy = std::size_t(8) << 20;

/// Copies between device memory and ordinary host memory in pieces, through pinned memory that several
/// threads fill or empty while other pieces are in transfer: the driver's own copy uses one thread. Work
/// already in `stream` is done first; returns when the copy is complete.
///
/// @param kind  cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost
void copyLarge(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const Stream& stream);

}  // namespace sulcus::gpu
