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

  /// Waits until a run that takes `need` may begin. Throws Cancelled.
  ///
  /// @param onDevice  it is made on the chosen GPU
  Pass enter(const MemoryNeed& need, bool onDevice, const Progress& progress);

 private:
  struct Free {
    double host = 0, device = 0;  ///< bytes; 0: not known
  };

  std::mutex mutex_;  // guards what follows
  std::condition_variable ended_;
  std::optional<Free> free_;  // before the first run
  int runs_ = 0;
  double hostBytes_ = 0, deviceBytes_ = 0;  // of the runs that have begun
};

}  // namespace sulcus::app::cli
