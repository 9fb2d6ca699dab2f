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

/// Voxels of the grid of the layer in a slot; 0 without one.
double gridVoxels(const AnalysisInputs& inputs, const char* slot);
/// Voxels of the mask in slot "mask", else of the layer in `slot`.
double voxelsIn(const AnalysisInputs& inputs, const char* slot);

/// Throws Error unless the layers of a slot lie on the grid of the image that they belong to, called e.g.
/// "series". Their values are not checked.
void requireOn(const AnalysisInputs& inputs, const std::string& slot, const Grid& grid,
               const std::string& image);

/// The inputs with a mask in slot "mask" that leaves of `mask` (null: of the whole grid) the slice that is
/// nearest to the one in view, across the image's axis that is nearest to that of the view. None where that
/// leaves no voxel.
AnalysisInputs withSlice(AnalysisInputs inputs, const Mask* mask, const Grid& grid, const SliceInView& slice);

/// What a phantom of a brain is made of: its tissue, for Analysis::phantomInputs.
InputSlot phantomTissueSlot();
/// The three maps in that slot, csf, gm and wm, as one series. Throws Error for another number of volumes,
/// and for maps on several grids.
Series<float> phantomTissueIn(const AnalysisInputs& inputs);

/// Adds a layer that a phantom made.
void give(AnalysisInputs& inputs, const std::string& slot, Layer layer);

}  // namespace sulcus::app::analyses
