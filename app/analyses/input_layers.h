#pragma once

#include "core/analysis/analysis.h"

#include <memory>
#include <string>
#include <vector>

// How the rows of the table find layers by the name of their slot, and add those of a demo.
namespace sulcus::app::analyses {

/// The layers of a slot, in order.
std::vector<const Layer*> layersOf(const AnalysisInputs& inputs, const std::string& slot);
/// The first one, or null.
const Layer* layerOf(const AnalysisInputs& inputs, const std::string& slot);
/// The mask in `slot`, or null. Throws Error when the layer is none.
std::shared_ptr<const Mask> maskIn(const AnalysisInputs& inputs, const std::string& slot = "mask");

/// Adds a layer that a phantom made.
void give(AnalysisInputs& inputs, const std::string& slot, Layer layer);

}  // namespace sulcus::app::analyses
