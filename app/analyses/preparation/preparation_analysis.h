#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The preparation of a functional series as a command of its own: realigned series, confounds, brain mask
/// and mean under the names that BIDS has for them.
const Analysis& preparation();

}  // namespace sulcus::app::analyses
