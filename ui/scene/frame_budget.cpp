#include "ui/scene/frame_budget.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::ui {

bool FrameBudget::record(double seconds) {
  if (std::exchange(skip_, false)) return false;
  // Two slow frames in a row: one alone may be another program's fault.
  slow_ = seconds > budget_ ? slow_ + 1 : 0;
  int wanted = oneIn_;
  if (slow_ == 2)
    wanted = std::max(oneIn_ + 1, int(std::ceil(oneIn_ * seconds / (0.8 * budget_))));
  else if (oneIn_ > 1 && seconds < 0.4 * budget_)
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
