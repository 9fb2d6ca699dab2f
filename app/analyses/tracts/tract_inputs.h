#pragma once

#include "core/analysis/analysis.h"
#include "core/tracts/tracts.h"

#include <vector>

namespace sulcus::app::analyses {

/// The slots of the analysis: what is followed, where lines begin, and regions.
std::vector<InputSlot> tractSlots();

/// The given inputs in core's types. Throws Error for layers that do not fit their slot.
tracts::TractInput tractInput(const AnalysisInputs& inputs, const tracts::TractOptions& options);

/// The seeds alone.
tracts::TractInput seedInput(const AnalysisInputs& inputs);

/// Moves regions that are labels of the atlas in slot "labels", given as "label:17" or by name, from the
/// options into the input, as images; if that is null they are only removed. Throws Error (usage) for a label
/// that does not exist.
void takeLabelRegions(const AnalysisInputs& inputs, tracts::TractOptions& options, tracts::TractInput* input);

/// The grid of what is followed, and its number of volumes; null if nothing was given.
const Grid* fieldGrid(const AnalysisInputs& inputs, int& volumes);

}  // namespace sulcus::app::analyses
