#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of the registration analysis: RegistrationInput and RegistrationResult as layers, plots and
/// tables.
Analysis registrationAnalysis();

}  // namespace sulcus::app::analyses
