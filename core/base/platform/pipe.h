#pragma once

#include <cstddef>
#include <span>

namespace sulcus {

/// A pipe, of which the first end reads what is written to the second; and one for both directions, whose
/// first end does not block. Programs that are started do not get them. 0, or the number of the error.
int makePipe(int (&ends)[2]) noexcept;
int makeChannel(int (&ends)[2]) noexcept;
/// From here on writing to it does not wait.
void doNotBlock(int descriptor) noexcept;

/// Waits so many milliseconds at most for something to read, or for the end of what is read; or for room to
/// write. 1 when it is there, 0 when not, also where a signal came; −1 with errno.
int waitToRead(int descriptor, int milliseconds) noexcept;
int waitToWrite(int descriptor, int milliseconds) noexcept;
/// Reads what there is; the number of bytes, which is 0 at the end, or −1 with errno,
/// which is EAGAIN where nothing is there and it does not block.
std::ptrdiff_t readSome(int descriptor, std::span<char> to) noexcept;
/// Writes as many bytes as there is room for; their number, or −1 with errno. The second is for a channel,
/// where it is an error and no signal that the reader has gone.
std::ptrdiff_t writeSome(int descriptor, std::span<const char> bytes) noexcept;
std::ptrdiff_t sendSome(int channel, std::span<const char> bytes) noexcept;

/// Waits, where nothing tells when something has changed.
void waitFor(int milliseconds) noexcept;

}  // namespace sulcus
