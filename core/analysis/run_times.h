#pragma once

#include "core/analysis/analysis.h"

#include <string>

namespace sulcus {

/// The duration of a run: "0.4 s in all: response 0.02 s, fit 0.3 s; waited for the GPU 0.2 s (50 %), of
/// which 0.01 s for copies". Negligible stages are left out.
std::string timesText(const RunResult& result);

}  // namespace sulcus
