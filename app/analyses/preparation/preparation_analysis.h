#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The preparation of a raw functional or diffusion series by itself: the series without motion, distortion
/// and, of diffusion, noise and ringing, with the brain mask and the confounds under the names that BIDS has
/// for them.
Analysis preparationAnalysis();

}  // namespace sulcus::app::analyses
