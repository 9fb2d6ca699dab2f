#pragma once

namespace sulcus {

/// Bytes of this computer's memory that can be had without swapping, and that this process may take: the
/// limits of its control groups count, as schedulers of clusters and containers set them. 0 when the system
/// does not say. Takes none by `new`, which asks it (large_memory.cpp).
double freeHostMemory() noexcept;

/// Bytes of this computer's memory that this process holds; 0 when the system does not say.
double residentHostMemory() noexcept;

/// Bytes that are left to the members of control groups and of those above them; at least 1, and infinite
/// where none has a limit. What they hold of files does not count as used, for the system can drop it.
///
/// @param membership  file such as /proc/self/cgroup
/// @param mount       folder such as /sys/fs/cgroup, of version 2 or with the folder `memory` of version 1
double freeInControlGroups(const char* membership, const char* mount) noexcept;

}  // namespace sulcus
