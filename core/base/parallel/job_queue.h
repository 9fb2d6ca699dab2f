#pragma once

#include "core/base/message.h"
#include "core/base/progress.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace sulcus {

enum class JobState { queued, running, done, failed, cancelled };

/// What a job reports to its owner, on the owner's thread.
struct JobReport {
  JobState state = JobState::queued;
  double fraction = 0;
  std::string stage;
  Message error;  ///< what to show if it failed
};

/// Handle to a submitted job. Copyable; may outlive the queue.
class Ticket {
 public:
  Ticket() = default;
  /// Asks the job to stop; its last report is then `cancelled`, unless it had already finished. A waiting job
  /// reports this at once, whatever else is running.
  void cancel() {
    stop_.request_stop();
    if (leave_) leave_();
  }

 private:
  friend class JobQueue;
  Ticket(std::stop_source stop, std::function<void()> leave)
      : stop_(std::move(stop)), leave_(std::move(leave)) {}
  std::stop_source stop_{std::nostopstate};
  std::function<void()> leave_;  ///< removes the job from the queue if it is still waiting
};

/// One worker thread that runs jobs in the order they were submitted.
///
/// `post` runs a call on the owner's thread (through Qt's event loop in the window, directly in the command
/// line); every call to the owner goes through it. The destructor cancels, joins and delivers nothing more.
/// submit() may be called from any thread.
class JobQueue {
 public:
  using Post = std::function<void(std::function<void()>)>;
  using Report = std::function<void(const JobReport&)>;

  explicit JobQueue(Post post);
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  /// Runs `work(progress)` on the worker and hands its result to `deliver(result)` on the owner's thread.
  /// `report` follows the job; its last call has state done, failed or cancelled and comes after `deliver`.
  template <class Work, class Deliver>
  // `report` is moved on, which clang-tidy does not see in a template.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  Ticket submit(Work work, Deliver deliver, Report report = {}) {
    using Result = std::invoke_result_t<Work&, const Progress&>;
    return enqueue(
        [work = std::move(work),
         deliver = std::move(deliver)](const Progress& progress) mutable -> std::function<void()> {
          auto result = std::make_shared<Result>(work(progress));
          return [deliver, result]() mutable { deliver(std::move(*result)); };
        },
        std::move(report));
  }

 private:
  using Erased = std::function<std::function<void()>(const Progress&)>;
  struct Job;
  struct Line;

  Ticket enqueue(Erased work, Report report);
  void run(const std::stop_token& stop);
  void runOne(Job& job);

  std::shared_ptr<Line> line_;  // shared with the tickets
  std::jthread worker_;
};

}  // namespace sulcus
