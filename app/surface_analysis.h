#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app {

/// The row of surface denoising.
Analysis surfaceAnalysis();

}  // namespace sulcus::app
