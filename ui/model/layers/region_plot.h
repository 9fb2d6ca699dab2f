#pragma once

#include "core/analysis/chart.h"
#include "core/image/layer.h"
#include "ui/model/layers/plots_model.h"
#include "ui/model/layers/region_tools.h"

#include <QObject>
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

/// Offers the plot of a region while a series and labels are open.
class RegionPlotOffer : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this.
  RegionPlotOffer(const LayerStack& layers, const RegionTools& regions, PlotsModel& plots);

 private:
  void update();

  const LayerStack& layers_;
  const RegionTools& regions_;
  PlotsModel& plots_;
  NamedLayer series_, labels_;  ///< of the plot offered
};

}  // namespace sulcus::ui::model
