#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of surface denoising.
Analysis surfaceAnalysis();

}  // namespace sulcus::app::analyses
