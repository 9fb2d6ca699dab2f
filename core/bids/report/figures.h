#pragma once

#include "core/analysis/analysis.h"

#include <string>
#include <vector>

namespace sulcus::bids {

/// A number that characterizes a run, for tables of many runs.
struct Figure {
  std::string name;  ///< name of a column, e.g. "mean_anisotropy"
  std::string unit;  ///< "" if it has none
  std::string help;
  double value = 0;  ///< NaN if unknown
};

/// The key figures of a result: how much was processed, how long it took, and figures of the analysis itself.
std::vector<Figure> keyFigures(const Analysis& analysis, const RunResult& result,
                               const AnalysisInputs& inputs);

/// A value for tables: four significant digits, without decimals from 1000; "–" if unknown.
std::string shownValue(double value);

}  // namespace sulcus::bids
