#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// Implements Analysis::applyField with registration::applyField(), for the command line and for the window.
Layer applyField(const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress);

}  // namespace sulcus::app::analyses
