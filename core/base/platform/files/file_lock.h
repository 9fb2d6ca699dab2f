#pragma once

#include <cstdint>

namespace sulcus {

// Locks between processes, which end with the descriptor or with the process.

enum class Lock {
  taken,
  others,  ///< held by another process
  none     ///< the file system has no locks, or the system has run out of them
};

/// Locks a file or folder unless another process holds it.
Lock tryLock(int descriptor) noexcept;
/// Locks a file or folder as soon as its lock is free.
Lock awaitLock(int descriptor) noexcept;
/// Locks one byte of a file that was opened for writing; the byte need not exist.
Lock tryLockByte(int descriptor, std::uint64_t position) noexcept;

}  // namespace sulcus
