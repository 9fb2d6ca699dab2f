#pragma once

#include "core/analysis/analysis.h"
#include "core/base/progress.h"

#include <condition_variable>
#include <mutex>
#include <optional>

namespace sulcus::app::cli {

/// Lets runs of this program begin only where memory holds them beside those that have begun. A run that is
/// alone always begins: whether it fits is its own to say.
class MemoryGate {
 public:
  /// A run that has begun; it ends with this.
  class Pass {
   public:
    Pass(MemoryGate& gate, double hostBytes, double deviceBytes)
        : gate_(gate), hostBytes_(hostBytes), deviceBytes_(deviceBytes) {}
    ~Pass();
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    MemoryGate& gate_;
    double hostBytes_, deviceBytes_;
  };

  /// Waits while a run waits that has been read: what else is read by then only takes the memory that it
  /// waits for. To be called before anything is read. Throws Cancelled.
  void beforeReading(const Progress& progress);
  /// Waits until a run that takes `need` may begin. Throws Cancelled.
  ///
  /// @param onDevice  it is made on the chosen GPU
  Pass enter(const MemoryNeed& need, bool onDevice, const Progress& progress);

 private:
  /// Waits for the end of a run, or looks whether to stop.
  void waitIn(std::unique_lock<std::mutex>& lock, const Progress& progress);

  std::mutex mutex_;  // guards what follows
  std::condition_variable ended_;
  std::optional<double> freeHost_, freeDevice_;  // bytes before the first run; 0: not known
  int runs_ = 0, waiting_ = 0;                   // that have begun; that are read, and wait
  double hostBytes_ = 0, deviceBytes_ = 0;       // of the runs that have begun
};

}  // namespace sulcus::app::cli
