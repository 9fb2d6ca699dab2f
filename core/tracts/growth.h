#pragma once

#include "core/tracts/tract_plan.h"

#include <functional>
#include <memory>

// Lines that grow while the user moves their seeds: the first lines of a run with the same seeds, as many as
// the time allows.

namespace sulcus::tracts {

/// A plan that stays in memory, also on a device, while the seeds change.
struct HeldPlan {
  /// Follows `count` seeds from `first` on and returns their results in order.
  std::function<std::vector<LineBatch>(const Seeds& seeds, std::int64_t first, std::int64_t count,
                                       const Progress& progress)>
      follow;
  std::int64_t fewest = 1, most = 1;  ///< seeds that are worth a call, and the most of one call
};
using HoldPlan = HeldPlan(const std::shared_ptr<const TractPlan>& plan);
/// On the CPU.
HoldPlan holdPlan;

/// The lines of some seeds, as many as have been followed so far, in the order of the seeds: the first lines
/// of a run.
class LineGrowth {
 public:
  /// @param linesWanted  complete when this many lines are kept; 0: when all seeds have been followed
  LineGrowth(HeldPlan plan, Seeds seeds, std::int64_t linesWanted)
      : plan_(std::move(plan)), seeds_(std::move(seeds)), wanted_(linesWanted) {}

  /// Continues for about this many seconds. Throws Cancelled.
  void growFor(double seconds, const Progress& progress);

  const Tracts& lines() const { return lines_; }
  std::int64_t followed() const { return followed_; }  ///< seeds
  std::int64_t seeds() const { return seeds_.count; }
  bool isComplete() const {
    return followed_ >= seeds_.count || (wanted_ > 0 && std::int64_t(lines_.lines()) >= wanted_);
  }

 private:
  void add(const LineBatchView& all);

  HeldPlan plan_;
  Seeds seeds_;
  std::int64_t wanted_, followed_ = 0;
  double secondsOfSeed_ = 0;  ///< of the last call
  Tracts lines_;
};

}  // namespace sulcus::tracts
