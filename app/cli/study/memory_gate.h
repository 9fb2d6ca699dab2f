#pragma once

#include "core/analysis/analysis.h"
#include "core/base/progress.h"

#include <condition_variable>
#include <mutex>
#include <optional>

namespace sulcus::app::cli {

/// Lets runs of this program start only if memory is sufficient for them in addition to the running ones. A
/// run that is alone always starts: it checks itself whether it fits.
class MemoryGate {
 public:
  /// A running job; it ends when this is destroyed.
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

  /// Waits while a run that has been read is waiting: reading more would only take the memory that it waits
  /// for. To be called before anything is read. Throws Cancelled.
  void beforeReading(const Progress& progress);
  /// Waits until a run that needs `need` may start. Throws Cancelled.
  ///
  /// @param onDevice it runs on the chosen GPU
  Pass enter(const MemoryNeed& need, bool onDevice, const Progress& progress);

 private:
  /// Waits until a run ends, or until the next check whether to stop.
  void waitIn(std::unique_lock<std::mutex>& lock, const Progress& progress);

  std::mutex mutex_;  // guards what follows
  std::condition_variable ended_;
  std::optional<double> freeHost_, freeDevice_;  // bytes before the first run; 0: unknown
  int runs_ = 0, waiting_ = 0;                   // running; read and waiting
  double hostBytes_ = 0, deviceBytes_ = 0;       // of the running jobs
};

}  // namespace sulcus::app::cli
