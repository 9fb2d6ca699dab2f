#pragma once

#include "core/base/progress.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace sulcus {

enum class JobState { queued, running, done, failed, cancelled };

/// What a job tells its owner, on the owner's thread.
struct JobReport {
  JobState state = JobState::queued;
  double fraction = 0;
  std::string stage;
  std::string error;  ///< the sentence to show when it failed
};

/// Handle to a submitted job. Copyable; outliving the queue is harmless.
class Ticket {
 public:
  Ticket() = default;
  /// Asks the job to stop; its last report is then `cancelled`, unless it was done already.
  void cancel() { stop_.request_stop(); }

 private:
  friend class JobQueue;
  explicit Ticket(std::stop_source stop) : stop_(std::move(stop)) {}
  std::stop_source stop_{std::nostopstate};
};

/// One worker thread that runs jobs in the order they were submitted.
///
/// `post` moves a call to the owner's thread (Qt's event loop in the window; direct in the command line);
/// everything the queue says to the owner goes through it. The destructor cancels, joins and delivers
/// nothing more. submit() may be called from any thread.
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

  Ticket enqueue(Erased work, Report report);
  void run(std::stop_token stop);
  void runOne(Job& job);

  Post post_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // read and written on the owner's thread only
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::stop_source current_{std::nostopstate};
  std::jthread worker_;
};

}  // namespace sulcus
