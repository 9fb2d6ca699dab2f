#pragma once

namespace sulcus {

/// Bytes of this computer's memory that can be had without swapping; 0 when the system does not say. Takes
/// none by `new`, which asks it (large_memory.cpp).
double freeHostMemory() noexcept;

}  // namespace sulcus
