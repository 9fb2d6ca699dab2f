#include "core/registration/registration_memory.h"

#include "core/registration/linear/halfway_space.h"

#include <algorithm>

namespace sulcus::registration {

double registrationHostBytes(const RegistrationInput& input, const RegistrationOptions& options) {
  if (!input.reference || !input.templateImage) return 0;
  // A voxel takes 9.2 bytes for the images of all levels, 16 for the texels and 48 for u, its trial, the
  // force and the velocity, and then 32 for the results; the warped template and eight arrays of local
  // correlation take 36; the warped template, the reference and the spline of mutual information 12. A
  // symmetric level is two of these, each with the 4 of a spline and with the warped images always kept; both
  // images, which it holds twice, and the middle take 40.
  int similarity = 36;
  if (options.similarity == Similarity::l2) similarity = 0;
  if (options.similarity == Similarity::mi) similarity = 12;
  // A further channel takes its images, those of the level again with their texels, and its measure. Weights
  // also require a measure and take 4 bytes in any case.
  const int measured = std::max(8, similarity), sides = options.symmetric ? 2 : 1;
  const double further =
      double(input.further.size()) * ((options.symmetric ? 35 : 9) + sides * (24 + measured));
  // The level is copied, and its mask and that of the template are kept.
  const double masked = input.templateMask ? 8 * double(1 + input.further.size()) + 16 : 0;
  const bool plain = input.further.empty() && !input.weights;
  const double first = plain ? similarity : measured;
  const double weights = input.weights ? 5 * (1 + sides) : 0;
  const double flow =
      (options.symmetric ? 40 + 2 * (68 + std::max(4.0, first)) : 73 + first) + further + weights + masked;
  return flow * double(gridOfFlow(input, options).voxels()) + 5 * double(input.reference->grid.voxels()) +
         20 * double(input.templateImage->grid.voxels());
}

}  // namespace sulcus::registration
