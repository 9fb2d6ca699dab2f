#pragma once

#include "core/base/note.h"
#include "core/registration/registration.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::registration {

/// What an image was filled up with where nothing was measured, such as −3024 around the scan circle of a CT.
struct Padding {
  float value;
  float air;  ///< the darkest value that was measured
};

/// The padding of an image; nullopt without. It is the smallest value, below 0, where that stands in a corner
/// and in a hundredth of the voxels at least, lies below all others by a tenth of their range or more, and is
/// surrounded by air: by the darkest tenth of that range, which shows on the faces of the image, too. Air
/// itself is surrounded by an object, or by nothing on the faces.
std::optional<Padding> paddingOf(const Series<float>& image);

/// The input with air in place of the padding of its images.
///
/// @param notes  receives a sentence for each image that has some
RegistrationInput withoutPadding(RegistrationInput input, Notes& notes);

}  // namespace sulcus::registration
