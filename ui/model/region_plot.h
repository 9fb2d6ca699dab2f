#pragma once

#include "core/analysis/chart.h"
#include "core/image/layer.h"

namespace sulcus::ui::model {

/// The mean of a series over the region that the crosshair is in, with the standard deviation of its voxels
/// as a band: for the Plots panel.
///
/// @param series  a volume layer of several volumes
/// @param labels  a labels layer, on any grid
Plot regionPlot(const LayerPtr& series, const LayerPtr& labels);

}  // namespace sulcus::ui::model
