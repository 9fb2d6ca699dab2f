#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sulcus {

// Memory for what is larger than that of the computer: files without names in the folder for temporary files
// (TMPDIR, else /var/tmp), which the system reads and writes as they are touched. Any thread may call these.

/// Whether `new` of this program takes what does not fit from here (large_memory.cpp).
inline std::atomic<bool> newTakesScratch{false};

/// Frees what `new` of this program keeps of freed arrays for the next ones (large_memory.cpp); null where it
/// keeps nothing.
inline std::atomic<void (*)() noexcept> freeKept{nullptr};

/// Gives the system all memory that is free, that which `new` and malloc keep included, as after everything
/// was closed.
void giveFreeMemoryBack() noexcept;

/// Bytes that may be taken there, nine tenths of what is free; 0 where the folder lies in memory itself, and
/// on other systems than Linux.
std::uint64_t scratchRoom() noexcept;

/// Zeros, at the start of a page. Null where there is no room for them.
void* takeScratch(std::size_t bytes) noexcept;
/// Gives back what takeScratch() gave; false for other memory, which is left alone.
bool giveScratchBack(void* memory) noexcept;

/// Whether takeScratch() gave it.
bool isScratch(const void* memory) noexcept;

/// Whether so much would not leave the computer a fifth of the memory that is free.
bool exceedsMemory(std::size_t bytes) noexcept;

}  // namespace sulcus
