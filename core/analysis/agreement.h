#pragma once

#include "core/analysis/analysis.h"

#include <string>
#include <vector>

namespace sulcus {

/// A row from differences, with `missing` more that are not within the tolerance and have no value: where
/// none has one, mean, percentile, median and maximum are NaN.
AgreementRow summarized(std::string quantity, std::string unit, std::vector<double> values, double missing,
                        double tolerance, double shareNeeded);

/// Keeps the 20 largest differences, largest first; of equal ones the first.
void keepWorstVoxels(std::vector<WorstVoxel>& worst);

}  // namespace sulcus
