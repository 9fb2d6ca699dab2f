#include "ui/scene/common/frame_budget.h"

#include "ui/scene/common/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::ui::scene {
namespace {
constexpr double kLongestBuild = 0.03;  // seconds, for a frame with new geometry, to show more automatically
}

bool FrameBudget::record(double seconds, bool mayThin) {
  if (still_ || rest_ > 0) return false;
  const bool isNew = std::exchange(isNew_, false);
  if (isNew) buildSeconds_ = seconds;
  // Two slow frames in a row: a single one may be due to another program.
  int& slow = slow_[isNew];
  slow = mayThin && seconds > budget_ ? slow + 1 : 0;
  int wanted = oneIn_;
  if (slow == 2)
    wanted = std::clamp(int(std::ceil(oneIn_ * seconds / (0.8 * budget_))), oneIn_ + 1, 4 * oneIn_);
  else if (!isNew && oneIn_ > 1 && seconds < 0.4 * budget_ && 2 * buildSeconds_ < kLongestBuild)
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

std::string FrameBudget::note(const char* text) const { return oneIn() > 1 ? words(text, oneIn()) : ""; }

}  // namespace sulcus::ui::scene
