#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// Seconds that one thread computes in a run, about: what there is to do, counted from sizes and options,
/// times what a unit of it took on one core of an AMD EPYC (tests/bench/RESULTS.md, "What a run is reckoned
/// to take"). Each case of that table took between half and twice as long. 0 where inputs and options do not
/// go together, or for an analysis without such a count.
double secondsOfRun(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values);

}  // namespace sulcus::app::analyses
