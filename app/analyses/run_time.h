#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// Approximate computing time of a run on one thread in seconds: the amount of work, determined from sizes
/// and options, times the time per unit on one core of an AMD EPYC (tests/bench/RESULTS.md, "What a run is
/// reckoned to take"). Each case of that table took between half and twice as long. 0 if inputs and options
/// are not consistent, or for an analysis without such an estimate.
double secondsOfRun(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values);

}  // namespace sulcus::app::analyses
