#pragma once

#include "ui/model/runs/run.h"

namespace sulcus::ui::model {

/// A layer as one side of a comparison: a run that nothing made, with the id 0 and this layer alone.
RunPtr sideOf(const LayerState& layer);
/// Whether a side is a layer and not a run.
inline bool isLayerSide(const Run& side) { return side.id == 0; }
inline const Layer& layerOfSide(const Run& side) { return side.result->layers.front(); }

}  // namespace sulcus::ui::model
