#pragma once

#include "core/analysis/analysis.h"

#include <string>
#include <vector>

namespace sulcus::bids {

/// One number that says how a run went, for tables of many.
struct Figure {
  std::string name;  ///< "mean_anisotropy": a column
  std::string unit;  ///< "" where it has none
  std::string help;
  double value = 0;  ///< NaN where it is not known
};

/// The key figures of a result: how much was worked on, how long it took, and what each analysis has to say.
std::vector<Figure> keyFigures(const RunResult& result, const AnalysisInputs& inputs);

/// A value as tables for people have it: four digits, from 1000 on to the unit; "–" where it is not known.
std::string shownValue(double value);

/// The effects of an activation run that somebody asked about: not the mean, drifts and confounds.
std::vector<std::string> effectsOf(const RunResult& result, const AnalysisInputs& inputs);

}  // namespace sulcus::bids
