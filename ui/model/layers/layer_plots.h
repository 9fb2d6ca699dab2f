#pragma once

#include "core/analysis/chart.h"
#include "ui/model/layers/layer_stack.h"

#include <vector>

namespace sulcus::ui::model {

/// What can be plotted of the layers without an analysis: of a series the values at the crosshair, with a
/// mark at the volume that is shown, and of each image the histogram of the volume that is shown. Top first;
/// previews of inputs are left out.
std::vector<Plot> plotsOf(const std::vector<LayerState>& layers);

}  // namespace sulcus::ui::model
