#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The row of preparation: corrects a raw functional or diffusion series for motion and distortion, and a
/// diffusion series also for noise and ringing; gives the brain mask and the confounds under their names in
/// BIDS.
Analysis preparationAnalysis();

}  // namespace sulcus::app::analyses
