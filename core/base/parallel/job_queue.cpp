#include "core/base/parallel/job_queue.h"

#include "core/base/error.h"
#include "core/base/file_fault.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>

namespace sulcus {

struct JobQueue::Job {
  Erased work;
  Report report;
  std::stop_source stop;
};

/// State shared by the worker, the owner and the tickets.
struct JobQueue::Line {
  Post post;
  std::shared_ptr<bool> alive = std::make_shared<bool>(true);  // read and written on the owner's thread only
  std::mutex mutex;                                            // guards the members below
  std::condition_variable_any wake;
  std::deque<std::shared_ptr<Job>> waiting;
  std::stop_source current{std::nostopstate};

  explicit Line(Post to) : post(std::move(to)) {}

  void tell(const Report& report, JobReport what) const {
    post([alive = alive, report, what = std::move(what)] {
      if (*alive && report) report(what);
    });
  }
};

JobQueue::JobQueue(Post post) : line_(std::make_shared<Line>(std::move(post))) {
  worker_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

JobQueue::~JobQueue() {
  *line_->alive = false;
  worker_.request_stop();
  {
    const std::lock_guard lock(line_->mutex);
    line_->waiting.clear();
    line_->current.request_stop();
  }
  line_->wake.notify_all();
}

Ticket JobQueue::enqueue(Erased work, Report report) {
  auto job = std::make_shared<Job>(Job{std::move(work), std::move(report), std::stop_source()});
  {
    const std::lock_guard lock(line_->mutex);
    line_->waiting.push_back(job);
  }
  line_->wake.notify_one();
  auto leave = [weakLine = std::weak_ptr(line_), weakJob = std::weak_ptr(job)] {
    const auto line = weakLine.lock();
    const auto waiting = weakJob.lock();
    if (!line || !waiting) return;
    {
      const std::lock_guard lock(line->mutex);
      if (std::erase(line->waiting, waiting) == 0) return;
    }
    line->tell(waiting->report, {JobState::cancelled, 0, {}, {}});
  };
  return {job->stop, std::move(leave)};
}

void JobQueue::run(const std::stop_token& stop) {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(line_->mutex);
      if (!line_->wake.wait(lock, stop, [&] { return !line_->waiting.empty(); })) return;
      job = line_->waiting.front();
      line_->waiting.pop_front();
      line_->current = job->stop;
    }
    if (stop.stop_requested()) return;
    runOne(*job);
  }
}

void JobQueue::runOne(Job& job) {
  const auto tell = [&](JobReport what) { line_->tell(job.report, std::move(what)); };
  // At most 30 reports a second reach the owner, since each is an event in its loop.
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
    line_->post([alive = line_->alive, deliver = std::move(deliver)] {
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
  } catch (const std::filesystem::filesystem_error& fault) {
    tell({JobState::failed, furthest, {}, fileFault(fault).message()});
  } catch (const std::exception& fault) {
    tell({JobState::failed, furthest, {}, messageOf(fault)});
  }
}

}  // namespace sulcus
