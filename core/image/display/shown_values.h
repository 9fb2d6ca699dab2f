#pragma once

#include "core/image/layer.h"

#include <string>

namespace sulcus {

/// The value that colors and thresholds refer to: the value itself, or its magnitude if negative values have
/// their own colors.
double shownValue(const Display& display, double value);

/// The range that colors are spread over: `range`, or from 0 to its end farther from 0 if magnitudes count
/// and it extends below 0.
Range colorRange(const Display& display, Range range);

/// Whether the thresholds of a display hide a value. Values below `hideBelow` and above `hideAbove` are
/// hidden; if they cross (hideBelow > hideAbove), the band between them is hidden, which shows both tails of
/// a statistic. NaN is hidden.
bool isHidden(const Display& display, double value);

/// The opacity of a value: 1 if it is shown, else 0, or if hidden values fade, the square of its ratio to the
/// threshold that hides it: everything is visible, and what matters stands out (Taylor et al., NeuroImage 274
/// (2023) 120138). Values on the other side of 0 or above an upper threshold stay hidden.
double shownOpacity(const Display& display, double value);

/// The values a display shows: "above 3.1", "below -2 or above 2", "of a size above 3.1", "of every size".
std::string shownValuesText(const Display& display);

}  // namespace sulcus
