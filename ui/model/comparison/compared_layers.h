#pragma once

#include "ui/model/runs/run.h"

#include <array>
#include <optional>

namespace sulcus::ui::model {

/// A layer as one side of a comparison: a run that was not computed, with the id 0 and only this layer.
RunPtr sideOf(const LayerState& layer);
/// Whether a side is a layer rather than a run.
inline bool isLayerSide(const Run& side) { return side.id == 0; }
inline const Layer& layerOfSide(const Run& side) { return side.result->layers.front(); }

/// Maps of two results whose first layers are tracts, to be shown beside each other: how many lines pass
/// through each voxel. nullopt for other results.
std::optional<std::array<Layer, 2>> mapsBeside(const RunResult& a, const RunResult& b,
                                               const Progress& progress);
/// The first map minus the second one.
Layer differenceOf(const std::array<Layer, 2>& maps);

}  // namespace sulcus::ui::model
