#include "core/base/platform/thread_priority.h"

#include <algorithm>

#include <sys/resource.h>

namespace sulcus {
namespace {
thread_local bool yields = false;
}

void yieldThread() {
  if (yields) return;
  yields = true;
  constexpr int kNice = 5;        // against a thread of 0 it gets a third of a processor
  constexpr int kThisThread = 0;  // in Linux' terms
  setpriority(PRIO_PROCESS, kThisThread, std::max(kNice, getpriority(PRIO_PROCESS, kThisThread)));
}

bool threadYields() { return yields; }

}  // namespace sulcus
