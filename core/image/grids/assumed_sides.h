#pragma once

#include "core/image/layer.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sulcus {

/// How the note of a layer ends whose file does not say which side is left.
inline constexpr const char kSidesAssumed[] = "Left and right are an assumption.";

inline bool sidesAreAssumed(const Layer& layer) {
  return std::ranges::any_of(layer.notes,
                             [](const Note& note) { return note.text.ends_with(kSidesAssumed); });
}

/// What is to be said where images or surfaces meet: a warning for each of which the sides are assumed, one
/// for all where there are more than three. None where fewer than two of the layers lie in space.
///
/// @param met  may hold null
Notes sideWarnings(const std::vector<const Layer*>& met);

}  // namespace sulcus
