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

/// The key figures of a result: how much was worked on, how long it took, and what the analysis has to say.
std::vector<Figure> keyFigures(const Analysis& analysis, const RunResult& result,
                               const AnalysisInputs& inputs);

/// A value for tables: four digits, from 1000 on to the unit; "–" where it is not known.
std::string shownValue(double value);

}  // namespace sulcus::bids
