#pragma once

#include "core/analysis/analysis.h"
#include "core/tracts/tracts.h"

#include <vector>

namespace sulcus::app::analyses {

/// Slots of the analysis: what is followed, where lines begin, and regions.
std::vector<InputSlot> tractSlots();

/// What was given, as the analysis takes it. Throws Error for layers that are something else.
tracts::TractInput tractInput(const AnalysisInputs& inputs, const tracts::TractOptions& options);

/// The grid of what is followed, and how many volumes that has; null where nothing was given.
const Grid* fieldGrid(const AnalysisInputs& inputs, int& volumes);

}  // namespace sulcus::app::analyses
