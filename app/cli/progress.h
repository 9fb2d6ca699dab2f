#pragma once

#include "app/cli/cli_context.h"
#include "core/base/progress.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace sulcus::app::cli {

/// Makes Ctrl+C, SIGTERM and the end of the terminal (SIGHUP) stop the run that a ProgressDisplay shows; a
/// second signal ends the program at once.
void stopOnSignals();

/// Shows the progress of a run on standard error: a bar on a terminal, one JSON object per line with --json,
/// elements of the Slicer Execution Model on standard output if requested, otherwise nothing. The bar is
/// erased at destruction. Must outlive the runs that use progress().
class ProgressDisplay {
 public:
  explicit ProgressDisplay(const CliContext& session);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  Progress progress();
  /// Erases the bar, so that something else can be printed; it comes back with the next report.
  void wipe();

 private:
  enum class Style { none, bar, lines, filter };
  using Clock = std::chrono::steady_clock;

  void watch();  ///< waits for a signal until this is destroyed
  void show(double fraction, std::string_view stage);
  void drawBar(double fraction, std::string_view stage) const;

  std::stop_source stop_;
  std::atomic<bool> ended_{false};
  static Style styleOf(const CliContext& session);

  Style style_;
  std::mutex mutex_;  // guards what follows: any worker may report
  double furthest_ = 0;
  std::string stage_;
  Clock::time_point begun_ = Clock::now(), shown_{};
  std::thread watcher_;  // last: it uses the members above
};

}  // namespace sulcus::app::cli
