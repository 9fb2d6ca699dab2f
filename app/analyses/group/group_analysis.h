#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of statistics across people.
Analysis groupAnalysis();

}  // namespace sulcus::app::analyses
