#pragma once

#include "core/analysis/chart.h"
#include "ui/model/layers/layer_stack.h"

#include <vector>

namespace sulcus::ui::model {

/// The plots of layers that need no analysis: for a series, the values at the crosshair, with a mark at the
/// current volume, for each image, the histogram of the current volume, and of all tables of profiles along
/// bundles ("profile" of Tracts) one plot for each quantity, so that people or sides lie over each other.
/// Topmost first; previews of inputs are left out.
std::vector<Plot> plotsOf(const std::vector<LayerState>& layers);

}  // namespace sulcus::ui::model
