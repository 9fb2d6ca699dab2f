#pragma once

#include "ui/model/choices/findings.h"
#include "ui/model/choices/warp_preview.h"
#include "ui/model/layers/clusters_model.h"
#include "ui/model/layers/derived_layers.h"
#include "ui/model/layers/label_lists.h"
#include "ui/model/layers/plots_model.h"

namespace sulcus::ui::model {

/// What is computed from layers for the user to see: other layers, curves, clusters, lists of labels, and
/// what may be wrong with them.
struct Evaluation {
  /// All must outlive this; the queues must post to this thread. `tables` is for what must not wait.
  Evaluation(const DerivedLayers::Parts& parts, RunController& runs, ViewState& view, JobQueue& tables)
      : derived(parts),
        plots(parts.layers, runs, view, parts.quick),
        clusters(parts.layers, tables),
        findings(parts.layers, parts.analyses, tables),
        labelLists(parts.layers, parts.quick),
        warpPreview(parts.layers, parts.quick) {}

  DerivedLayers derived;
  PlotsModel plots;
  ClustersModel clusters;
  Findings findings;
  LabelLists labelLists;
  WarpPreview warpPreview;
};

}  // namespace sulcus::ui::model
