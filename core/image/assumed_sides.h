#pragma once

#include "core/image/layer.h"

#include <algorithm>

namespace sulcus {

/// How the note of a layer ends whose file does not say which side is left.
inline constexpr const char kSidesAssumed[] = "Left and right are an assumption.";

inline bool sidesAreAssumed(const Layer& layer) {
  return std::ranges::any_of(layer.notes,
                             [](const std::string& note) { return note.ends_with(kSidesAssumed); });
}

}  // namespace sulcus
