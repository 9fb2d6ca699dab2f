#pragma once

namespace sulcus {

/// From now on all other threads take precedence over this one and over those that help it in a parallelFor,
/// so that long work leaves a busy processor to what a person waits for. Cannot be undone.
void yieldThread();
/// Whether this thread has called yieldThread().
bool threadYields();

}  // namespace sulcus
