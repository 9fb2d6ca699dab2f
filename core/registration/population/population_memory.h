#pragma once

#include "core/registration/population/population_template.h"

#include <vector>

namespace sulcus::registration {

/// The bytes of this computer's memory that a template of images on these grids holds at its peak beside the
/// images, where memoryStore() keeps it and all that is delivered is kept.
double populationHostBytes(const std::vector<Grid>& grids, const PopulationOptions& options);

}  // namespace sulcus::registration
