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
      inputs;                    ///< the layers by slot, since the mask itself is recreated for each run
  fibers::FiberOptions options;  ///< those that preparedModelOptions() leaves
  friend bool operator==(const PreparedModelKey&, const PreparedModelKey&) = default;
};

/// Keeps the prepared models of the last scans, and of the current slice of one, so that they can be used
/// with many thresholds and by both backends.
using PreparedModelMemo = Memo<PreparedModelKey, std::shared_ptr<const fibers::PreparedFiberModel>>;

}  // namespace sulcus::app::analyses
