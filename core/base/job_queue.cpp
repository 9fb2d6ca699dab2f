#include "core/base/job_queue.h"

#include "core/base/error.h"

#include <chrono>
#include <new>
#include <optional>

namespace sulcus {

struct JobQueue::Job {
  Erased work;
  Report report;
  std::stop_source stop;
};

JobQueue::JobQueue(Post post) : post_(std::move(post)) {
  worker_ = std::jthread([this](std::stop_token stop) { run(stop); });
}

JobQueue::~JobQueue() {
  *alive_ = false;
  worker_.request_stop();
  {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    current_.request_stop();
  }
  wake_.notify_all();
}

Ticket JobQueue::enqueue(Erased work, Report report) {
  auto job = std::make_shared<Job>(Job{std::move(work), std::move(report), std::stop_source()});
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(job);
  }
  wake_.notify_one();
  return Ticket(job->stop);
}

void JobQueue::run(std::stop_token stop) {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [&] { return !waiting_.empty(); })) return;
      job = waiting_.front();
      waiting_.pop_front();
      current_ = job->stop;
    }
    if (stop.stop_requested()) return;
    runOne(*job);
  }
}

void JobQueue::runOne(Job& job) {
  const auto tell = [this, alive = alive_, report = job.report](JobReport what) {
    post_([alive, report, what = std::move(what)] {
      if (*alive && report) report(what);
    });
  };
  // At most 30 reports a second reach the owner: every one is an event in its loop.
  std::mutex throttle;
  std::optional<std::chrono::steady_clock::time_point> last;
  double furthest = 0;
  const Progress progress(job.stop.get_token(), [&](double fraction, std::string_view stage) {
    JobReport report;
    {
      const std::lock_guard lock(throttle);
      const auto now = std::chrono::steady_clock::now();
      furthest = std::max(furthest, fraction);
      if (last && now - *last < std::chrono::milliseconds(33)) return;
      last = now;
      report = {JobState::running, furthest, std::string(stage), {}};
    }
    tell(std::move(report));
  });
  try {
    progress.throwIfCancelled();
    tell({JobState::running, 0, {}, {}});
    auto deliver = job.work(progress);
    post_([alive = alive_, deliver = std::move(deliver)] {
      if (*alive) deliver();
    });
    tell({JobState::done, 1, {}, {}});
  } catch (const Cancelled&) {
    tell({JobState::cancelled, furthest, {}, {}});
  } catch (const std::bad_alloc&) {
    tell({JobState::failed,
          furthest,
          {},
          "The computer ran out of memory (the data and the result do not fit together): close other "
          "programs or use a smaller image or mask."});
  } catch (const std::exception& fault) {
    tell({JobState::failed, furthest, {}, fault.what()});
  }
}

}  // namespace sulcus
