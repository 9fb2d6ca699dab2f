#pragma once

#include "core/image/layer.h"

#include <string>

namespace sulcus {

/// Whether the thresholds of a display hide a value. Below `hideBelow` and above `hideAbove` is hidden; when
/// they cross (hideBelow > hideAbove) the band between them is, which shows both tails of a statistic. NaN is
/// hidden.
bool isHidden(const Display& display, double value);

/// Which values a display shows: "above 3.1", "below -2 or above 2", "of every size".
std::string shownValuesText(const Display& display);

}  // namespace sulcus
