#pragma once

#include "core/image/layer.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sulcus {

/// The end of the note of a layer whose file does not say which side is left.
inline constexpr const char kSidesAssumed[] = "Left and right are an assumption.";

inline bool sidesAreAssumed(const Layer& layer) {
  return std::ranges::any_of(layer.notes,
                             [](const Note& note) { return note.text.line().ends_with(kSidesAssumed); });
}

/// Warnings for images or surfaces that are used together: one for each whose sides are assumed, or a single
/// one if there are more than three. None if fewer than two of the layers lie in space.
///
/// @param met  may hold null
Notes sideWarnings(const std::vector<const Layer*>& met);

}  // namespace sulcus
