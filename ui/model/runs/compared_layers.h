#pragma once

#include "ui/model/runs/run.h"

namespace sulcus::ui::model {

/// A layer as one side of a comparison: a run that was not computed, with the id 0 and only this layer.
RunPtr sideOf(const LayerState& layer);
/// Whether a side is a layer rather than a run.
inline bool isLayerSide(const Run& side) { return side.id == 0; }
inline const Layer& layerOfSide(const Run& side) { return side.result->layers.front(); }

}  // namespace sulcus::ui::model
