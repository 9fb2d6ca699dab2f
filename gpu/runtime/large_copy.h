#pragma once

#include "gpu/runtime/stream.h"

#include <cstddef>

namespace sulcus::gpu {

/// Copies of at least so many bytes are worth copyLarge().
inline constexpr std::size_t kLargeCopy = std::size_t(8) << 20;

/// Copies between memory of the device and ordinary memory of the host in pieces, through pinned memory that
/// several threads fill or empty while other pieces are on their way: the driver's own copy takes one thread.
/// What `stream` holds is done before; returns when the copy is.
///
/// @param kind  cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost
void copyLarge(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const Stream& stream);

}  // namespace sulcus::gpu
