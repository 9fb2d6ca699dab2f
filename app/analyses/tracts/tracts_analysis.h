#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of tracts: lines along nerve fibers.
Analysis tractsAnalysis();

}  // namespace sulcus::app::analyses
