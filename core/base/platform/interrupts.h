#pragma once

namespace sulcus {

/// From here on a wish of the user or the system that this program ends (Ctrl+C, SIGINT, SIGTERM, a terminal
/// that is closed) is noted; a second one ends it at once, with `code`.
void noteInterrupts(int code);
/// How many there were.
int interrupts() noexcept;
/// Waits for the next one, or for wakeFromInterrupts(). For one thread.
void awaitInterrupt() noexcept;
void wakeFromInterrupts() noexcept;

}  // namespace sulcus
