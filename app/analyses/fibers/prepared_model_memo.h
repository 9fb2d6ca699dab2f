#pragma once

#include "core/base/memory/memo.h"
#include "core/fibers/fiber_plan.h"
#include "core/fibers/fibers.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sulcus::app::analyses {

/// What the prepared model depends on.
struct PreparedModelKey {
  std::vector<std::pair<std::string, Identity>>
      inputs;                    ///< the layers by slot, for a mask itself is made anew for each run
  fibers::FiberOptions options;  ///< those that preparedModelOptions() leaves
  friend bool operator==(const PreparedModelKey&, const PreparedModelKey&) = default;
};

/// Keeps the prepared models of the last scans, and of the slice of one that is in view, so that they can be
/// used with many thresholds and by both backends.
using PreparedModelMemo = Memo<PreparedModelKey, std::shared_ptr<const fibers::PreparedFiberModel>>;

}  // namespace sulcus::app::analyses
