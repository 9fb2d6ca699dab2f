#pragma once

#include "core/image/layer.h"

#include <string>

namespace sulcus {

/// What colors and thresholds go by: the value, or its size where negative values have colors of their own.
double shownValue(const Display& display, double value);

/// The range that colors are spread over: `range`, or from 0 to its farther end where sizes count and it
/// reaches below 0.
Range colorRange(const Display& display, Range range);

/// Whether the thresholds of a display hide a value. Below `hideBelow` and above `hideAbove` is hidden; when
/// they cross (hideBelow > hideAbove) the band between them is, which shows both tails of a statistic. NaN is
/// hidden.
bool isHidden(const Display& display, double value);

/// How opaque a value is drawn: 1 where it is shown, else 0, or where hidden values fade the square of its
/// share of the threshold that hides it: all is seen, and what matters stands out (Taylor et al., NeuroImage
/// 274 (2023) 120138). Values beyond 0 or beyond an upper threshold stay hidden.
double shownOpacity(const Display& display, double value);

/// Which values a display shows: "above 3.1", "below -2 or above 2", "of a size
/// above 3.1", "of every size".
std::string shownValuesText(const Display& display);

}  // namespace sulcus
