#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of lines along fibers.
Analysis tractsAnalysis();

}  // namespace sulcus::app::analyses
