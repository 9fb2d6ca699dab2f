#include "core/analysis/value_agreement.h"

#include "core/math/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace sulcus {
namespace {

/// Fills the statistics of `row` from `differences`, whose order is lost.
void summarize(AgreementRow& row, std::vector<double>& differences) {
  if (differences.empty()) return;
  double sum = 0;
  for (const double difference : differences) sum += difference;
  row.mean = sum / double(differences.size());
  row.maximum = *std::max_element(differences.begin(), differences.end());
  row.percentile95 = lowerQuantile(std::span(differences), 0.95);
}

}  // namespace

ValueAgreement valueAgreement(const std::string& quantity, const std::string& unit, std::span<const float> a,
                              std::span<const float> b, double tolerance, double relative) {
  assert(a.size() == b.size());
  ValueAgreement agreement;
  std::vector<double> differences, ratios;
  std::int64_t compared = 0, within = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    if (std::isnan(x) && std::isnan(y)) continue;
    ++compared;
    if (x == y && !std::isfinite(x)) {
      ++within;
      continue;
    }
    if (!std::isfinite(x) || !std::isfinite(y)) {
      ++agreement.oneSided;
      continue;
    }
    const double difference = std::abs(x - y), size = std::max(std::abs(x), std::abs(y));
    differences.push_back(difference);
    ratios.push_back(size > 0 ? difference / size : 0);
    within += difference <= tolerance + relative * size;
  }
  AgreementRow row;
  row.quantity = quantity, row.unit = unit, row.compared = double(compared);
  row.tolerance = tolerance;
  row.shareWithin = compared > 0 ? double(within) / double(compared) : 1;
  agreement.difference = agreement.relative = row;
  agreement.relative.quantity += ", relative";
  agreement.relative.unit = "";
  agreement.relative.tolerance = relative;
  summarize(agreement.difference, differences);
  summarize(agreement.relative, ratios);
  return agreement;
}

}  // namespace sulcus
