#include "core/base/platform/processes/thread_priority.h"

#include <algorithm>

#ifdef __APPLE__
#include <pthread/qos.h>
#else
#include <sys/resource.h>
#endif

namespace sulcus {
namespace {
thread_local bool yields = false;
}

void yieldThread() {
  if (yields) return;
  yields = true;
#ifdef __APPLE__
  pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
#else
  constexpr int kNice = 5;        // next to a thread of niceness 0 it gets a third of a processor
  constexpr int kThisThread = 0;  // 0 means the calling thread on Linux
  setpriority(PRIO_PROCESS, kThisThread, std::max(kNice, getpriority(PRIO_PROCESS, kThisThread)));
#endif
}

bool threadYields() { return yields; }

}  // namespace sulcus
