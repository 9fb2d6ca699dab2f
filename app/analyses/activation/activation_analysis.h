#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of the activation analysis: ActivationInput and ActivationResult as layers, plots and tables.
Analysis activationAnalysis();

}  // namespace sulcus::app::analyses
