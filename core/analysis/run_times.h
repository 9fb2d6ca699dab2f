#pragma once

#include "core/analysis/analysis.h"

#include <string>

namespace sulcus {

/// What a run took: "Response 0.02 s, Fit 0.3 s, 0.4 s in all; waited for the GPU 0.2 s (50 %), of which 0.01
/// s for copies".
std::string timesText(const RunResult& result);

}  // namespace sulcus
