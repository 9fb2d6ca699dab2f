#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of the smoothing: SmoothInput and its result as layers.
Analysis smoothAnalysis();

}  // namespace sulcus::app::analyses
