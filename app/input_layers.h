#pragma once

#include "core/analysis/analysis.h"

#include <memory>
#include <string>
#include <vector>

// What the rows of the table do with the layers they are given.
namespace sulcus::app {

/// Which layers a slot is offered: measurements, of one volume or more; labels or one volume; a table.
bool isVolume(const Layer& layer);
bool isMask(const Layer& layer);
bool isTable(const Layer& layer);

/// The layers of a slot, in order.
std::vector<const Layer*> layersOf(const AnalysisInputs& inputs, const std::string& slot);
/// The first one, or null.
const Layer* layerOf(const AnalysisInputs& inputs, const std::string& slot);

/// What the layer of `slot` measured; throws Error when it holds something else.
const VolumeLayer& volumeOf(const Layer& layer, const std::string& slot);
/// The mask in `slot`, or null.
std::shared_ptr<const Mask> maskIn(const AnalysisInputs& inputs, const std::string& slot = "mask");

/// Throws Error when a truth does not lie on the grid of the image it should belong to.
void requireTruthOn(const Grid& grid, const Grid& truth, const std::string& image);

/// Adds a layer that a phantom made.
void give(AnalysisInputs& inputs, const std::string& slot, Layer layer);

}  // namespace sulcus::app
