#pragma once

#include "core/analysis/analysis.h"

#include <string>
#include <vector>

namespace sulcus {

/// An AgreementRow of differences and of `missing` more comparisons that are outside the tolerance and have
/// no value: if no comparison has a value, mean, percentile, median and maximum are NaN.
AgreementRow summarized(std::string quantity, std::string unit, std::vector<double> values, double missing,
                        double tolerance, double shareNeeded);

/// An AgreementRow of how many of the `compared` things are as they should be.
AgreementRow shareRow(std::string quantity, double right, double compared, double shareNeeded);

/// Throws Error unless two results lie on one grid.
///
/// @param of  what both should be of: "the same scan"
void requireComparable(const Grid& a, const Grid& b, const std::string& of);

/// Keeps the 20 largest differences, largest first; ties keep their order.
void keepWorstVoxels(std::vector<WorstVoxel>& worst);

}  // namespace sulcus
