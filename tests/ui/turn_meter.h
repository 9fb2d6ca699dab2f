#pragma once

#include <QTimer>
#include <algorithm>
#include <ctime>

namespace sulcus::ui {

/// What the window's thread worked in each turn of the event loop: its CPU time in ms, since the clock on the
/// wall also tells what other programs do. That it does not wait for a job shows in its turns going on.
class TurnMeter {
 public:
  TurnMeter() {
    QObject::connect(&tick_, &QTimer::timeout, &tick_, [this] { turn(); });
    tick_.start(0);
  }
  int turns() const { return turns_; }
  int longTurns() const { return long_; }
  double longest() const { return longest_; }

 private:
  static double cpuTime() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
  }
  void turn() {
    const double now = cpuTime();
    if (begun_) {
      ++turns_;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // under which times mean nothing
      longest_ = std::max(longest_, now - last_);
      long_ += now - last_ > 50;
#endif
    }
    last_ = now, begun_ = true;
  }

  QTimer tick_;
  double last_ = 0, longest_ = 0;
  int turns_ = 0, long_ = 0;
  bool begun_ = false;
};

}  // namespace sulcus::ui
