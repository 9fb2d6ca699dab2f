#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of templates of several people.
Analysis templateAnalysis();

}  // namespace sulcus::app::analyses
