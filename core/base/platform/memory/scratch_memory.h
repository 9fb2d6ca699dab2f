#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sulcus {

// Memory for data larger than main memory: unnamed files in the folder for temporary files (TMPDIR, else
// /var/tmp), paged in and out by the system. Thread-safe.

/// Whether `new` of this program takes what does not fit into memory from here (large_memory.cpp).
inline std::atomic<bool> newTakesScratch{false};

/// Frees what `new` of this program holds in reserve (large_memory.cpp); null if it holds nothing.
inline std::atomic<void (*)() noexcept> freeReserve{nullptr};

/// Returns all memory that malloc keeps free and the reserve to the system, e.g. after everything was closed.
void giveFreeMemoryBack() noexcept;

/// Bytes that may be taken there, nine tenths of what is free; 0 if the folder itself lies in memory, and on
/// systems other than Linux.
std::uint64_t scratchRoom() noexcept;

/// Zeroed memory, aligned to a page. Null if there is no room.
void* takeScratch(std::size_t bytes) noexcept;
/// Releases memory from takeScratch(); returns false for other memory, which is left alone.
bool giveScratchBack(void* memory) noexcept;

/// Whether the memory is from takeScratch().
bool isScratch(const void* memory) noexcept;

/// Whether allocating this much would leave less than a fifth of the free memory.
bool exceedsMemory(std::size_t bytes) noexcept;

}  // namespace sulcus
