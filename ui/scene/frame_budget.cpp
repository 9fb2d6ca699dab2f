#include "ui/scene/frame_budget.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::ui {
namespace {
constexpr double kLongestWait = 0.045;  // seconds, for a frame with new geometry
}

bool FrameBudget::record(double seconds, bool mayThin) {
  const bool isNew = std::exchange(isNew_, false);
  if (isNew) buildSeconds_ = seconds;
  const double most = isNew ? std::max(budget_, kLongestWait) : budget_;
  // Two slow frames in a row: one alone may be another program's fault.
  int& slow = slow_[isNew];
  slow = mayThin && seconds > most ? slow + 1 : 0;
  int wanted = oneIn_;
  if (slow == 2)
    wanted = std::clamp(int(std::ceil(oneIn_ * seconds / (0.8 * most))), oneIn_ + 1, 4 * oneIn_);
  else if (!isNew && oneIn_ > 1 && seconds < 0.4 * budget_ && 2 * buildSeconds_ < kLongestWait)
    wanted = std::max(1, oneIn_ / 2);
  if (wanted == oneIn_) return false;
  reset(wanted);
  return true;
}

void FrameBudget::reset(int oneIn) {
  oneIn_ = oneIn;
  slow_ = {};
  isNew_ = true;
}

std::string FrameBudget::note() const {
  return oneIn_ > 1 ? "showing 1 in " + std::to_string(oneIn_) + " glyphs" : "";
}

}  // namespace sulcus::ui
