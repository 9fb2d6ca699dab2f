#include "core/base/parallel/job_queue.h"

#include "core/base/error.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <latch>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// A manual event loop of the owner: posted calls run when the test runs them.
class Loop {
 public:
  JobQueue::Post post() {
    return [this](std::function<void()> call) {
      const std::lock_guard lock(mutex_);
      calls_.push_back(std::move(call));
      arrived_.notify_all();
    };
  }
  /// Runs calls until `finished` returns true.
  template <class Finished>
  void runUntil(Finished finished) {
    while (!finished()) {
      std::function<void()> call;
      {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [&] { return !calls_.empty(); });
        call = std::move(calls_.front());
        calls_.pop_front();
      }
      call();
    }
  }
  void runAll() {
    const std::lock_guard lock(mutex_);
    for (auto& call : calls_) call();
    calls_.clear();
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> calls_;
};

bool over(JobState state) { return state != JobState::queued && state != JobState::running; }

TEST(JobQueue, DeliversTheResultBeforeTheLastReport) {
  Loop loop;
  JobQueue queue(loop.post());
  int delivered = 0, deliveredAtDone = -1;
  JobState last = JobState::queued;

  queue.submit([](const Progress&) { return 42; }, [&](int result) { delivered = result; },
               [&](const JobReport& report) {
                 last = report.state;
                 if (last == JobState::done) deliveredAtDone = delivered;
               });
  loop.runUntil([&] { return over(last); });

  EXPECT_EQ(last, JobState::done);
  EXPECT_EQ(deliveredAtDone, 42);
}

TEST(JobQueue, RunsJobsInOrder) {
  Loop loop;
  JobQueue queue(loop.post());
  std::vector<int> order;
  for (int i = 0; i < 10; ++i)
    queue.submit([i](const Progress&) { return i; }, [&](int r) { order.push_back(r); });

  loop.runUntil([&] { return order.size() == 10; });

  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(JobQueue, ReportsHowFarAJobIs) {
  Loop loop;
  JobQueue queue(loop.post());
  std::vector<JobReport> reports;

  queue.submit(
      [](const Progress& progress) {
        progress.part(0, 1, "half").update(0.5);
        return 0;
      },
      [](int) {}, [&](const JobReport& report) { reports.push_back(report); });
  loop.runUntil([&] { return !reports.empty() && over(reports.back().state); });

  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[1].state, JobState::running);
  EXPECT_DOUBLE_EQ(reports[1].fraction, 0.5);
  EXPECT_EQ(reports[1].stage, "half");
}

TEST(JobQueue, FailureIsReportedWithItsSentence) {
  Loop loop;
  JobQueue queue(loop.post());
  JobReport last;
  bool delivered = false;

  queue.submit([](const Progress&) -> int { throw Error("a", "b", "c"); }, [&](int) { delivered = true; },
               [&](const JobReport& report) { last = report; });
  loop.runUntil([&] { return over(last.state); });

  EXPECT_EQ(last.state, JobState::failed);
  EXPECT_EQ(last.error.line(), "a (b): c");
  EXPECT_FALSE(delivered);
}

TEST(JobQueue, APathThatCannotBeUsedIsASentence) {
  Loop loop;
  JobQueue queue(loop.post());
  JobReport last;
  queue.submit(
      [](const Progress&) -> int {
        const auto code = std::make_error_code(std::errc::too_many_symbolic_link_levels);
        throw std::filesystem::filesystem_error("status", "loop.nii", code);
      },
      [](int) {}, [&](const JobReport& report) { last = report; });
  loop.runUntil([&] { return over(last.state); });
  EXPECT_TRUE(last.error.line().starts_with("'loop.nii' cannot be used (")) << last.error.line();
  EXPECT_NE(last.error.line().find("): check the path"), std::string::npos) << last.error.line();
}

TEST(JobQueue, CancelEndsARunningJobAndAWaitingOne) {
  Loop loop;
  JobQueue queue(loop.post());
  std::latch running(1);
  JobState first = JobState::queued, second = JobState::queued;
  auto spin = [&](const Progress& progress) {
    running.count_down();
    for (;;) progress.update(0.5);
    return 0;
  };

  Ticket a = queue.submit(
      spin, [](int) {}, [&](const JobReport& r) { first = r.state; });
  Ticket b = queue.submit([](const Progress&) { return 1; }, [](int) {},
                          [&](const JobReport& r) { second = r.state; });
  running.wait();
  b.cancel();
  a.cancel();
  loop.runUntil([&] { return over(first) && over(second); });

  EXPECT_EQ(first, JobState::cancelled);
  EXPECT_EQ(second, JobState::cancelled);
}

TEST(JobQueue, AJobThatWaitsIsCancelledWhileAnotherRuns) {
  Loop loop;
  JobQueue queue(loop.post());
  std::latch running(1);
  JobState first = JobState::queued, second = JobState::queued;
  bool secondRan = false;

  Ticket a = queue.submit(
      [&](const Progress& progress) {
        running.count_down();
        for (;;) progress.throwIfCancelled();
        return 0;
      },
      [](int) {}, [&](const JobReport& r) { first = r.state; });
  Ticket b = queue.submit([&](const Progress&) { return secondRan = true; }, [](bool) {},
                          [&](const JobReport& r) { second = r.state; });
  running.wait();
  b.cancel();
  b.cancel();
  loop.runUntil([&] { return over(second); });
  EXPECT_EQ(second, JobState::cancelled);
  EXPECT_EQ(first, JobState::running);

  a.cancel();
  loop.runUntil([&] { return over(first); });
  EXPECT_FALSE(secondRan);
}

TEST(JobQueue, ATicketMayOutliveItsQueue) {
  Loop loop;
  Ticket ticket;
  {
    JobQueue queue(loop.post());
    ticket = queue.submit([](const Progress&) { return 0; }, [](int) {});
  }
  ticket.cancel();
  loop.runAll();
}

TEST(JobQueue, DestructorCancelsJoinsAndDeliversNothingMore) {
  Loop loop;
  bool said = false;
  {
    JobQueue queue(loop.post());
    std::latch running(1);
    queue.submit(
        [&](const Progress& progress) {
          running.count_down();
          for (;;) progress.update(0);
          return 0;
        },
        [&](int) { said = true; }, [&](const JobReport&) { said = true; });
    running.wait();
  }
  loop.runAll();
  EXPECT_FALSE(said);
}

}  // namespace
}  // namespace sulcus
