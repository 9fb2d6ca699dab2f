#pragma once

#include "core/registration/population/population_template.h"

namespace sulcus::registration {

/// The image of a person. Throws Error unless it has one volume.
std::shared_ptr<const Series<float>> openedImage(const PopulationInput& input, std::size_t person);

/// The initial template: all people are aligned to the first, averaged in the middle, aligned to that average
/// and averaged in the middle again. Its grid covers the object with some margin, along the axes of the
/// scanner.
///
/// @throws Error  if somebody cannot be aligned
PopulationState linearAverage(const PopulationInput& input, const PopulationOptions& options,
                              const Progress& progress);

}  // namespace sulcus::registration
