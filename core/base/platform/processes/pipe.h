#pragma once

#include <cstddef>
#include <span>

namespace sulcus {

/// makePipe() makes a pipe, whose first end reads what is written to the second; makeChannel() makes a
/// bidirectional one whose first end does not block. Started programs do not inherit them. Return 0 or the
/// error number.
int makePipe(int (&ends)[2]) noexcept;
int makeChannel(int (&ends)[2]) noexcept;
/// From now on writing to it does not block.
void doNotBlock(int descriptor) noexcept;

/// Wait at most `milliseconds` for data or the end of the stream (to read), or for room (to write). Return 1
/// if ready, 0 if not or if a signal arrived, −1 with errno on failure.
int waitToRead(int descriptor, int milliseconds) noexcept;
int waitToWrite(int descriptor, int milliseconds) noexcept;
/// Reads what is available; returns the number of bytes, 0 at the end, or −1 with errno, which is EAGAIN for
/// a descriptor that does not block and has no data.
std::ptrdiff_t readSome(int descriptor, std::span<char> to) noexcept;
/// Write as many bytes as there is room for; return their number, or −1 with errno. sendSome() is for a
/// channel: if the reader has gone, it fails instead of raising a signal.
std::ptrdiff_t writeSome(int descriptor, std::span<const char> bytes) noexcept;
std::ptrdiff_t sendSome(int channel, std::span<const char> bytes) noexcept;

/// Sleeps, for polling where no event is available.
void waitFor(int milliseconds) noexcept;

}  // namespace sulcus
