#pragma once

#include "ui/model/choices/left_out_volumes.h"
#include "ui/model/choices/presenters.h"
#include "ui/model/layers/dissection.h"
#include "ui/model/layers/plots_model.h"
#include "ui/model/layers/region_plot.h"
#include "ui/model/layers/region_tools.h"
#include "ui/model/runs/growing_lines.h"

namespace sulcus::ui::model {

/// What the user draws and selects in the views: regions of voxels, bundles of tracts, regions from which
/// lines grow, volumes to leave out.
struct Editing {
  /// All must outlive this; `lines` must post to this thread.
  Editing(LayerStack& layers, ViewState& view, PlotsModel& plots, const Presenters& presenters,
          JobQueue& lines)
      : regions(layers, view),
        regionPlot(layers, regions, plots),
        dissection(layers, view, lines),
        growing(layers, presenters.withGrowth(), lines),
        leftOutVolumes(layers, presenters.all()) {}

  RegionTools regions;
  RegionPlotOffer regionPlot;
  Dissection dissection;
  GrowingLines growing;
  LeftOutVolumes leftOutVolumes;
};

}  // namespace sulcus::ui::model
