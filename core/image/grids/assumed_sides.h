#pragma once

#include "core/image/layer.h"

#include <vector>

namespace sulcus {

/// The note of a layer whose file does not say which side is left; `why` has what is assumed instead.
Note assumedSides(const Message& why);

inline bool sidesAreAssumed(const Layer& layer) { return hasNoteAbout(layer.notes, Subject::assumedSides); }

/// Warnings for images or surfaces that are used together: one for each whose sides are assumed, or a single
/// one if there are more than three. None if fewer than two of the layers lie in space.
///
/// @param met  may hold null
Notes sideWarnings(const std::vector<const Layer*>& met);

}  // namespace sulcus
