#include "core/base/platform/processes/thread_priority.h"
#include "core/base/platform/windows_errors.h"

namespace sulcus {
namespace {
thread_local bool yields = false;
}

void yieldThread() {
  if (!yields) SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
  yields = true;
}

bool threadYields() { return yields; }

}  // namespace sulcus
