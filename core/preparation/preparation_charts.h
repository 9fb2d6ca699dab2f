#pragma once

#include "core/analysis/chart.h"
#include "core/preparation/diffusion/prepare_diffusion.h"
#include "core/preparation/preparation.h"

#include <memory>
#include <vector>

namespace sulcus::preparation {

/// Charts of a functional series over its volumes: the motion, mm (rotations at kHeadRadius), the framewise
/// displacement, the change of the signal, and the carpet plot of the prepared series.
std::vector<Plot> preparationPlots(const std::shared_ptr<const PreparedSeries>& prepared);

/// Charts of a diffusion series over its volumes: the motion, the framewise displacement, and the lost
/// slices, if there are any. None if motion was not corrected.
std::vector<Plot> diffusionPlots(const PreparedDiffusion& prepared);

}  // namespace sulcus::preparation
