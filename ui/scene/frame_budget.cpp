#include "ui/scene/frame_budget.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::ui {
namespace {
constexpr double kLongestWait = 0.1;  // seconds, for a frame with new geometry
}

bool FrameBudget::record(double seconds, bool mayThin) {
  if (std::exchange(skip_, false)) {
    buildSeconds_ = seconds;
    return false;
  }
  // Two slow frames in a row: one alone may be another program's fault.
  slow_ = mayThin && seconds > budget_ ? slow_ + 1 : 0;
  int wanted = oneIn_;
  if (slow_ == 2)
    wanted = std::clamp(int(std::ceil(oneIn_ * seconds / (0.8 * budget_))), oneIn_ + 1, 4 * oneIn_);
  else if (oneIn_ > 1 && seconds < 0.4 * budget_ && 2 * buildSeconds_ < kLongestWait)
    wanted = std::max(1, oneIn_ / 2);
  if (wanted == oneIn_) return false;
  reset(wanted);
  return true;
}

void FrameBudget::reset(int oneIn) {
  oneIn_ = oneIn;
  slow_ = 0;
  skip_ = true;
}

std::string FrameBudget::note() const {
  return oneIn_ > 1 ? "showing 1 in " + std::to_string(oneIn_) + " glyphs" : "";
}

}  // namespace sulcus::ui
