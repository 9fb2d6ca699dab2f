#include "core/image/shown_values.h"

#include "core/base/numbers.h"

#include <algorithm>
#include <cmath>

namespace sulcus {

bool isHidden(const Display& display, double value) {
  if (std::isnan(value)) return true;
  const bool below = display.hideBelow && value < *display.hideBelow;
  const bool above = display.hideAbove && value > *display.hideAbove;
  const bool crossed = display.hideBelow && display.hideAbove && *display.hideBelow > *display.hideAbove;
  return crossed ? below && above : below || above;
}

double shownOpacity(const Display& display, double value) {
  if (!isHidden(display, value)) return 1;
  double opacity = 0;
  if (display.fade)
    for (const auto& limit : {display.hideBelow, display.hideAbove})
      if (const double share = limit ? value / *limit : 0; share > 0 && share < 1)
        opacity = std::max(opacity, share * share);
  return opacity;
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
