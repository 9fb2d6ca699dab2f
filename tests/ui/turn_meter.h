#pragma once

#include <QTimer>
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <random>
#include <vector>

namespace sulcus::ui {

/// How long the main thread works in each pass of the event loop. Its CPU time counts, since wall-clock time
/// also includes what other programs do, in ms of an undisturbed processor of 2023: work of known length,
/// repeated between passes, shows how slow this processor is at that time. That the thread does not wait for
/// a job shows in the passes continuing.
class TurnMeter {
 public:
  TurnMeter() {
    QObject::connect(&tick_, &QTimer::timeout, &tick_, [this] { turn(); });
    tick_.start(0);
  }
  int turns() const { return turns_; }
  /// The number of passes longer than 50 ms.
  int longTurns() const {
    const double limit = 50 * slowness();
    return int(std::ranges::count_if(notable_, [limit](double ms) { return ms > limit; }));
  }
  double longest() const { return notable_.empty() ? 0 : std::ranges::max(notable_) / slowness(); }
  /// How many times longer the work of known length took (upper quartile), at least 1.
  double slowness() const {
    if (yardsticks_.empty()) return 1;
    std::vector<double> sorted = yardsticks_;
    std::ranges::sort(sorted);
    return std::max(1.0, sorted[sorted.size() * 3 / 4] / kYardstick);
  }

 private:
  static constexpr double kYardstick = 1;  // ms
  static constexpr double kBetween = 20;   // ms of work between two measurements
  static constexpr double kNotable = 10;   // ms
  static double cpuTime() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
  }
  /// Does the work of known length: allocates memory, fills it, and sorts a part, as the window does.
  void measureSlowness() {
    const double begin = cpuTime();
    std::vector<std::uint32_t> values(1 << 18);
    std::ranges::generate(values, std::ref(random_));
    std::ranges::sort(values.begin(), values.begin() + (1 << 12));
    yardsticks_.push_back(cpuTime() - begin);
  }
  void turn() {
    const double now = cpuTime();
    if (begun_) {
      ++turns_;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // under which times are meaningless
      if (now - last_ > kNotable) notable_.push_back(now - last_);
      if (now - measured_ > kBetween) {
        measureSlowness();
        measured_ = now;
      }
#endif
    }
    last_ = cpuTime(), begun_ = true;
  }

  QTimer tick_;
  std::minstd_rand random_;
  std::vector<double> notable_, yardsticks_;  // ms
  double last_ = 0, measured_ = 0;
  int turns_ = 0;
  bool begun_ = false;
};

}  // namespace sulcus::ui
