#include "core/image/shown_values.h"

#include "core/base/numbers.h"

#include <cmath>

namespace sulcus {

bool isHidden(const Display& display, double value) {
  if (std::isnan(value)) return true;
  const bool below = display.hideBelow && value < *display.hideBelow;
  const bool above = display.hideAbove && value > *display.hideAbove;
  const bool crossed = display.hideBelow && display.hideAbove && *display.hideBelow > *display.hideAbove;
  return crossed ? below && above : below || above;
}

std::string shownValuesText(const Display& display) {
  const auto &low = display.hideBelow, &high = display.hideAbove;
  if (low && high && *low > *high) return "below " + numberText(*high) + " or above " + numberText(*low);
  if (low && high) return "between " + numberText(*low) + " and " + numberText(*high);
  if (low) return "above " + numberText(*low);
  if (high) return "below " + numberText(*high);
  return "of every size";
}

}  // namespace sulcus
