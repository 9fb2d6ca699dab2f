#pragma once

namespace sulcus {

/// From now on all other threads go before this one, and before those that help it in a parallelFor: work
/// that takes long leaves a busy processor to what a person waits for. It cannot be taken back.
void yieldThread();
/// Whether this thread has been told so.
bool threadYields();

}  // namespace sulcus
