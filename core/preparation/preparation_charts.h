#pragma once

#include "core/analysis/chart.h"
#include "core/preparation/diffusion/prepare_diffusion.h"
#include "core/preparation/preparation.h"

#include <memory>
#include <vector>

namespace sulcus::preparation {

/// Of a functional series over its volumes: the motion, mm (turns at kHeadRadius), the framewise
/// displacement, the change of the signal, and the carpet of the prepared series.
std::vector<Plot> preparationPlots(const std::shared_ptr<const PreparedSeries>& prepared);

/// Of a diffusion series over its volumes: the motion, the framewise displacement, and the lost slices where
/// there are any. None where motion was left in.
std::vector<Plot> diffusionPlots(const PreparedDiffusion& prepared);

}  // namespace sulcus::preparation
