#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of the group analysis: statistics across people.
Analysis groupAnalysis();

}  // namespace sulcus::app::analyses
