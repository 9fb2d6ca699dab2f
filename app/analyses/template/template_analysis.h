#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of population templates.
Analysis templateAnalysis();

}  // namespace sulcus::app::analyses
