#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of the fiber analysis: FiberInput and FiberMaps as layers.
Analysis fibersAnalysis();

}  // namespace sulcus::app::analyses
