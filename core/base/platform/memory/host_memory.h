#pragma once

namespace sulcus {

/// Bytes of this computer's memory that are available without swapping and that this process may take: the
/// limits of its control groups, as set by cluster schedulers and containers, count. 0 if the system does not
/// say. Does not call `new`, which calls it (large_memory.cpp).
double freeHostMemory() noexcept;

/// Resident memory of this process, bytes; 0 if the system does not say.
double residentHostMemory() noexcept;

/// Bytes left to the members of control groups and their ancestors; at least 1, and infinite if none has a
/// limit. Cached file pages do not count as used, since the system can drop them.
///
/// @param membership  a file such as /proc/self/cgroup
/// @param mount       a folder such as /sys/fs/cgroup, of version 2 or with the folder `memory` of version 1
double freeInControlGroups(const char* membership, const char* mount) noexcept;

}  // namespace sulcus
