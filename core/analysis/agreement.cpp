#include "core/analysis/agreement.h"

#include "core/base/error.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>

namespace sulcus {

AgreementRow summarized(std::string quantity, std::string unit, std::vector<double> values, double missing,
                        double tolerance, double shareNeeded) {
  AgreementRow row;
  row.quantity = std::move(quantity);
  row.unit = std::move(unit);
  row.tolerance = tolerance;
  row.shareNeeded = shareNeeded;
  row.compared = double(values.size()) + missing;
  row.shareWithin = row.compared == 0 ? 1 : 0;
  if (values.empty()) {
    if (missing > 0) row.mean = row.percentile95 = row.median = row.maximum = NAN;
    return row;
  }
  const auto within =
      std::count_if(values.begin(), values.end(), [&](double value) { return value <= tolerance; });
  row.shareWithin = double(within) / row.compared;
  for (const double value : values) row.mean += value / double(values.size());
  row.maximum = *std::max_element(values.begin(), values.end());
  row.median = upperMedian(std::span(values));
  row.percentile95 = lowerQuantile(std::span(values), 0.95);
  return row;
}

AgreementRow shareRow(std::string quantity, double right, double compared, double shareNeeded) {
  AgreementRow row;
  row.quantity = std::move(quantity);
  row.shareWithin = compared > 0 ? right / compared : 1;
  row.shareNeeded = shareNeeded;
  row.compared = compared;
  return row;
}

void requireComparable(const Grid& a, const Grid& b, const std::string& of) {
  if (!sameGrid(a, b))
    throw Error("The two results lie on different grids: " + describeGrid(a) + " and " + describeGrid(b),
                "their voxels do not correspond", "compare results of " + of);
}

void keepWorstVoxels(std::vector<WorstVoxel>& worst) {
  constexpr std::size_t kMost = 20;
  std::stable_sort(worst.begin(), worst.end(),
                   [](const WorstVoxel& p, const WorstVoxel& q) { return p.difference > q.difference; });
  if (worst.size() > kMost) worst.resize(kMost);
}

}  // namespace sulcus
