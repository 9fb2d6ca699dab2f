#pragma once

#include "core/base/provenance.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace sulcus {

/// A stopwatch that names the stages it measures. Runs from construction. Not thread-safe.
class StageClock {
 public:
  /// Since construction or the last restart.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }
  /// Restarts without recording a stage.
  void restart() { begun_ = Clock::now(); }

  /// Ends a stage: adds the elapsed time to the stage of that name and restarts.
  void finish(const std::string& stage) {
    const auto now = Clock::now();
    const auto found =
        std::find_if(stages_.begin(), stages_.end(), [&](const StageTime& one) { return one.name == stage; });
    StageTime& time = found != stages_.end() ? *found : stages_.emplace_back(StageTime{stage, 0});
    time.seconds += std::chrono::duration<double>(now - begun_).count();
    begun_ = now;
  }

  /// The stages in the order in which they first ended.
  const std::vector<StageTime>& stages() const { return stages_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_ = Clock::now();
  std::vector<StageTime> stages_;
};

}  // namespace sulcus
