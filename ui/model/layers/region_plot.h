#pragma once

#include "core/analysis/chart.h"
#include "core/image/layer.h"

#include <string>

namespace sulcus::ui::model {

/// A layer and its name in the window.
struct NamedLayer {
  LayerPtr layer;
  std::string name;

  friend bool operator==(const NamedLayer&, const NamedLayer&) = default;
};

/// The mean of a series over the region that the crosshair is in, with the standard deviation of its voxels
/// as a band: for the Plots panel.
///
/// @param series  a volume layer of several volumes
/// @param labels  a labels layer, on any grid
Plot regionPlot(const NamedLayer& series, const NamedLayer& labels);

}  // namespace sulcus::ui::model
