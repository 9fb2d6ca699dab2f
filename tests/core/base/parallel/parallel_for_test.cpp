#include "core/base/parallel/parallel_for.h"

#include "core/base/error.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>
#include <tbb/task.h>
#include <tbb/task_group.h>

namespace sulcus {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnce) {
  for (const std::int64_t count : {0, 1, 31, 32, 33, 255, 256, 257, 4097}) {
    std::vector<int> visits(std::size_t(count), 0);
    parallelFor(count, 32, {}, [&](std::int64_t i) { ++visits[std::size_t(i)]; });
    for (const int v : visits) ASSERT_EQ(v, 1) << count;
  }
}

TEST(ParallelSort, IsTheSameOnAnyNumberOfThreads) {
  std::vector<float> values;
  std::uint32_t state = 1;
  for (int i = 0; i < 200'000; ++i) {
    state = state * 1664525 + 1013904223;
    values.push_back(i % 7 == 0 ? (state & 1 << 20 ? 0.0f : -0.0f) : float(std::int32_t(state >> 8)) - 8e6f);
  }
  std::vector<float> one = values, all = values, oracle = values;
  std::stable_sort(oracle.begin(), oracle.end());

  withThreads(1, [&] { parallelSort(one); });
  parallelSort(all);

  EXPECT_EQ(one, oracle);
  EXPECT_EQ(std::memcmp(one.data(), all.data(), all.size() * sizeof(float)), 0);
}

TEST(ParallelFor, BlocksDoNotDependOnTheNumberOfThreads) {
  const auto blocksWith = [](int threads) {
    std::mutex mutex;
    std::set<std::pair<std::int64_t, std::int64_t>> blocks;
    withThreads(threads, [&] {
      parallelForBlocks(1000, 37, {}, [&](std::int64_t begin, std::int64_t end) {
        const std::lock_guard lock(mutex);
        blocks.emplace(begin, end);
      });
    });
    return blocks;
  };
  EXPECT_EQ(blocksWith(1), blocksWith(4));
  EXPECT_EQ(blocksWith(1).size(), 28u);
}

TEST(ParallelFor, ThrowsWithinALoopThatHasFailed) {
  const auto withinAFailedLoop = [](const std::function<void()>& work) {
    parallelFor(1, {}, [&](std::int64_t) {
      tbb::task::current_context()->cancel_group_execution();  // as an exception in another part would
      work();
    });
  };
  withinAFailedLoop([] {
    EXPECT_THROW(parallelFor(1000, {}, [](std::int64_t) {}), Cancelled)
        << "what follows would compute with a part";
    std::vector<float> values(100'000, 1);
    EXPECT_THROW(parallelSort(values), Cancelled);
  });
  std::atomic<int> visits{0};
  withinAFailedLoop([&] { uninterrupted([&] { tbb::parallel_for(0, 1000, [&](int) { ++visits; }); }); });
  EXPECT_EQ(visits, 1000);
}

TEST(ParallelFor, ReportsTheErrorOfThePartThatFailed) {
  for (int round = 0; round < 200; ++round) {
    try {
      parallelInvoke({[] { throw Error("p", "w", "d"); },
                      [] {
                        for (int i = 0; i < 100; ++i) parallelFor(50, 1, {}, [](std::int64_t) {});
                      }});
      FAIL() << "nothing was thrown";
    } catch (const Error&) {
    }
  }
}

TEST(ParallelFor, StopsSoonAfterCancellation) {
  std::stop_source stop;
  std::atomic<int> calls{0};
  const Progress progress(stop.get_token(), {});
  EXPECT_THROW(withThreads(1,
                           [&] {
                             parallelFor(1000, 1, progress, [&](std::int64_t) {
                               if (++calls == 10) stop.request_stop();
                             });
                           }),
               Cancelled);
  EXPECT_EQ(calls, 10);
}

TEST(ParallelFor, PassesOnTheExceptionOfTheBody) {
  EXPECT_THROW(parallelFor(100, {},
                           [](std::int64_t i) {
                             if (i == 57) throw Error("a", "b", "c");
                           }),
               Error);
}

TEST(ParallelFor, ReportsProgressUpToTheEnd) {
  std::mutex mutex;
  double furthest = 0;
  const Progress progress({}, [&](double f, std::string_view) {
    const std::lock_guard lock(mutex);
    furthest = std::max(furthest, f);
  });
  parallelFor(100, 10, progress, [](std::int64_t) {});
  EXPECT_DOUBLE_EQ(furthest, 1.0);
}

TEST(WithThreads, LimitsTheThreads) {
  int inside = 0;
  withThreads(1, [&] { inside = threadCount(); });
  EXPECT_EQ(inside, 1);
}

}  // namespace
}  // namespace sulcus
