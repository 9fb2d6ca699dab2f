#pragma once

#include "core/base/memo.h"
#include "core/fibers/fiber_plan.h"
#include "core/fibers/fibers.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sulcus::app::analyses {

/// What the groundwork of the fibers depends on.
struct GroundworkKey {
  std::vector<std::pair<std::string, Identity>>
      inputs;                    ///< the layers by slot, for a mask itself is made anew for each run
  fibers::FiberOptions options;  ///< those that groundworkOptions() leaves
  friend bool operator==(const GroundworkKey&, const GroundworkKey&) = default;
};

/// Keeps the groundwork of the last scans, and of the slice of one that is in view, so that they can be
/// looked at under many thresholds, and on the other processor.
using GroundworkMemo = Memo<GroundworkKey, std::shared_ptr<const fibers::FiberGroundwork>>;

}  // namespace sulcus::app::analyses
