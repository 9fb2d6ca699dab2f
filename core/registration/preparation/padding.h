#pragma once

#include "core/base/note.h"
#include "core/registration/registration.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::registration {

/// The fill value of an image where nothing was measured, such as −3024 around the scan circle of a CT.
struct Padding {
  float value;
  float air;  ///< the darkest measured value
};

/// The padding of an image; nullopt if there is none. It is the smallest value, if that is below 0, occurs in
/// a corner and in at least a hundredth of the voxels, lies below all others by at least a tenth of their
/// range, and is surrounded by air, that is, by the darkest tenth of that range, which also occurs on the
/// faces of the image. Air itself is surrounded by an object, or by nothing on the faces.
std::optional<Padding> paddingOf(const Series<float>& image);

/// The input with the padding of its images replaced by air.
///
/// @param notes  receives a sentence for each image with padding
RegistrationInput withoutPadding(RegistrationInput input, Notes& notes);

}  // namespace sulcus::registration
