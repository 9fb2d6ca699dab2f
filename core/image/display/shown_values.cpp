#include "core/image/display/shown_values.h"

#include "core/base/numbers.h"

#include <algorithm>
#include <cmath>

namespace sulcus {

double shownValue(const Display& display, double value) {
  return display.negativeColormap.empty() ? value : std::abs(value);
}

Range colorRange(const Display& display, Range range) {
  return display.negativeColormap.empty() || range.low >= 0 ? range
                                                            : Range{0, std::max(-range.low, range.high)};
}

bool isHidden(const Display& display, double value) {
  if (std::isnan(value)) return true;
  value = shownValue(display, value);
  const bool below = display.hideBelow && value < *display.hideBelow;
  const bool above = display.hideAbove && value > *display.hideAbove;
  const bool crossed = display.hideBelow && display.hideAbove && *display.hideBelow > *display.hideAbove;
  return crossed ? below && above : below || above;
}

double shownOpacity(const Display& display, double value) {
  if (!isHidden(display, value)) return 1;
  double opacity = 0;
  value = shownValue(display, value);
  if (display.fade)
    for (const auto& limit : {display.hideBelow, display.hideAbove})
      if (const double share = limit ? value / *limit : 0; share > 0 && share < 1)
        opacity = std::max(opacity, share * share);
  return opacity;
}

std::string shownValuesText(const Display& display) {
  const auto &low = display.hideBelow, &high = display.hideAbove;
  if (!low && !high) return "of every size";
  const std::string sizes = display.negativeColormap.empty() ? "" : "of a size ";
  if (low && high && *low > *high)
    return sizes + "below " + numberText(*high) + " or above " + numberText(*low);
  if (low && high) return sizes + "between " + numberText(*low) + " and " + numberText(*high);
  return sizes + (low ? "above " + numberText(*low) : "below " + numberText(*high));
}

}  // namespace sulcus
