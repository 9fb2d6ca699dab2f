#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app {

/// The row of the activation analysis: ActivationInput and ActivationResult as layers, plots and tables.
Analysis activationAnalysis();

}  // namespace sulcus::app
