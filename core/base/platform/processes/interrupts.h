#pragma once

namespace sulcus {

/// From now on a request of the user or the system to end this program (Ctrl+C, SIGINT, SIGTERM, a closed
/// terminal) is only noted; a second one ends it at once, with exit code `code`.
void noteInterrupts(int code);
/// Number of requests so far.
int interrupts() noexcept;
/// Waits for the next request or for wakeFromInterrupts(). May be called by one thread only.
void awaitInterrupt() noexcept;
void wakeFromInterrupts() noexcept;

}  // namespace sulcus
