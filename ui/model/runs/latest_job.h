#pragma once

#include "core/base/parallel/job_queue.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace sulcus::ui::model {

/// Work of which only the newest request matters, like a chart at a moving crosshair: at most one job is on
/// the queue, and of the requests made meanwhile only the last is started, once that job has finished. A
/// running job is not stopped, so that something is shown during a drag. Lives on the UI thread.
class LatestJob {
 public:
  /// `queue` must outlive this and post to this thread.
  explicit LatestJob(JobQueue& queue) : state_(std::make_shared<State>(State{queue, {}, false, {}, 0})) {}
  ~LatestJob() { drop(); }
  LatestJob(const LatestJob&) = delete;
  LatestJob& operator=(const LatestJob&) = delete;

  /// Like JobQueue::submit(); `failed` receives the message of an error.
  template <class Work, class Deliver>
  void submit(Work work, Deliver deliver, std::function<void(const Message&)> failed = {}) {
    auto start = [work = std::move(work), deliver = std::move(deliver),
                  failed = std::move(failed)](const std::shared_ptr<State>& state) {
      state->busy = true;
      const std::weak_ptr<State> weak = state;
      state->ticket = state->queue.submit(
          work,
          [weak, deliver, stamp = state->stamp](auto result) {
            const auto alive = weak.lock();
            if (alive && alive->stamp == stamp) deliver(std::move(result));
          },
          [weak, failed, stamp = state->stamp](const JobReport& report) {
            const auto alive = weak.lock();
            if (!alive || report.state == JobState::queued || report.state == JobState::running) return;
            if (report.state == JobState::failed && failed && alive->stamp == stamp) failed(report.error);
            next(alive);
          });
    };
    if (state_->busy)
      state_->waiting = std::move(start);
    else
      start(state_);
  }
  /// Pending results are no longer delivered.
  void drop() {
    ++state_->stamp;
    state_->waiting = {};
    state_->ticket.cancel();
  }
  bool busy() const { return state_->busy; }

 private:
  struct State {
    JobQueue& queue;
    std::function<void(const std::shared_ptr<State>&)> waiting;
    bool busy = false;
    Ticket ticket;
    int stamp = 0;
  };
  static void next(const std::shared_ptr<State>& state) {
    state->busy = false;
    if (const auto start = std::exchange(state->waiting, {})) start(state);
  }

  std::shared_ptr<State> state_;
};

}  // namespace sulcus::ui::model
