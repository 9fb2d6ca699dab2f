#include "core/base/platform/processes/thread_priority.h"

#include "core/base/parallel/parallel_for.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace sulcus {
namespace {

int nice() { return getpriority(PRIO_PROCESS, 0); }  // of the calling thread

TEST(ThreadPriority, LetsOthersGoBeforeAThreadAndThoseThatHelpIt) {
  const int before = nice();
  std::atomic<int> least{100};
  std::thread worker([&] {
    yieldThread();
    EXPECT_TRUE(threadYields());
    parallelFor(1000, 1, Progress(), [&](std::int64_t) {
      int now = least;
      while (nice() < now && !least.compare_exchange_weak(now, nice())) {
      }
    });
  });
  worker.join();
  EXPECT_GE(least, 5);
  EXPECT_EQ(nice(), before) << "this thread has not been asked";
  EXPECT_FALSE(threadYields());
}

}  // namespace
}  // namespace sulcus
