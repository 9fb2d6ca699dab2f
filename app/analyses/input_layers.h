#pragma once

#include "core/analysis/analysis.h"

#include <memory>
#include <string>
#include <vector>

// Helpers by which the rows of the table find layers by the name of their slot, and add those of a demo.
namespace sulcus::app::analyses {

/// Whether a layer has several volumes of one number each.
bool isSeries(const Layer& layer);
/// Whether it is a series with gradients.
bool isDiffusion(const Layer& layer);

/// The layers of a slot, in order.
std::vector<const Layer*> layersOf(const AnalysisInputs& inputs, const std::string& slot);
/// The first one, or null.
const Layer* layerOf(const AnalysisInputs& inputs, const std::string& slot);
/// The mask in `slot`, or null. Throws Error if the layer is not a mask.
std::shared_ptr<const Mask> maskIn(const AnalysisInputs& inputs, const std::string& slot = "mask");

/// Number of voxels in the grid of the layer in a slot; 0 without one.
double gridVoxels(const AnalysisInputs& inputs, const char* slot);
/// Number of voxels in the mask in slot "mask", else in the layer in `slot`.
double voxelsIn(const AnalysisInputs& inputs, const char* slot);

/// Throws Error unless the layers of a slot have the grid of the image to which they belong, called e.g.
/// "series". Their values are not checked.
void requireOn(const AnalysisInputs& inputs, const std::string& slot, const Grid& grid,
               const std::string& image);

/// The inputs with a mask in slot "mask" that keeps only the part of `mask` (null: of the whole grid) in the
/// slice nearest to the current one, perpendicular to the image's axis nearest to the view's. None if no
/// voxel remains.
AnalysisInputs withSlice(AnalysisInputs inputs, const Mask* mask, const Grid& grid, const SliceInView& slice);

/// What a phantom of a brain is made from: its tissue, for Analysis::phantomInputs.
InputSlot phantomTissueSlot();
/// The three maps in that slot, CSF, GM and WM, as one series. Throws Error for another number of volumes,
/// and for maps on different grids.
Series<float> phantomTissueIn(const AnalysisInputs& inputs);

/// Adds a layer made by a phantom.
void give(AnalysisInputs& inputs, const std::string& slot, Layer layer);

}  // namespace sulcus::app::analyses
