#pragma once

#include <cstdint>

namespace sulcus {

// Locks between processes, which end with the descriptor, or with the process.

enum class Lock {
  taken,
  others,  ///< another process has it
  none     ///< there are no locks in the file system, or the system gives no more
};

/// Locks a file or folder.
Lock tryLock(int descriptor) noexcept;
/// The same, and waits until it can be had.
Lock awaitLock(int descriptor) noexcept;
/// Locks one byte of a file that was opened for writing, which needs not have it.
Lock tryLockByte(int descriptor, std::uint64_t position) noexcept;

}  // namespace sulcus
