#pragma once

#include "core/analysis/analysis.h"
#include "core/tracts/tracts.h"

#include <vector>

namespace sulcus::app::analyses {

/// Slots of the analysis: what is followed, where lines begin, and regions.
std::vector<InputSlot> tractSlots();

/// What was given, as the analysis takes it. Throws Error for layers that are something else.
tracts::TractInput tractInput(const AnalysisInputs& inputs, const tracts::TractOptions& options);

/// Of it the seeds alone.
tracts::TractInput seedInput(const AnalysisInputs& inputs);

/// Regions that are labels of the atlas in slot "labels", "label:17" or by name, move from the options into
/// the input, as images; into none where it is null. Throws Error (usage) for a label that there is not.
void takeLabelRegions(const AnalysisInputs& inputs, tracts::TractOptions& options, tracts::TractInput* input);

/// The grid of what is followed, and how many volumes that has; null where nothing was given.
const Grid* fieldGrid(const AnalysisInputs& inputs, int& volumes);

}  // namespace sulcus::app::analyses
