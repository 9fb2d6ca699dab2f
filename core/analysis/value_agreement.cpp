#include "core/analysis/value_agreement.h"

#include "core/analysis/agreement.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace sulcus {

ValueAgreement valueAgreement(const Quantity& quantity, std::span<const float> a, std::span<const float> b,
                              double tolerance, double relative, int together) {
  assert(a.size() == b.size());
  ValueAgreement agreement;
  std::vector<double> differences, ratios;
  std::int64_t compared = 0, within = 0;
  const std::size_t count = a.size() / std::size_t(together);
  const auto lengthOf = [&](const auto& component) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); k += count) sum += component(k) * component(k);
    return std::sqrt(sum);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double x = lengthOf([&](std::size_t k) { return double(a[k + i]); });
    const double y = lengthOf([&](std::size_t k) { return double(b[k + i]); });
    if (std::isnan(x) && std::isnan(y)) continue;
    ++compared;
    if (std::isinf(x) && std::isinf(y) && together == 1 && a[i] == b[i]) {
      ++within;
      continue;
    }
    if (!std::isfinite(x) || !std::isfinite(y)) {
      ++agreement.oneSided;
      continue;
    }
    const double difference = lengthOf([&](std::size_t k) { return double(a[k + i]) - double(b[k + i]); });
    const double size = std::max(x, y);
    differences.push_back(difference);
    ratios.push_back(size > 0 ? difference / size : 0);
    within += difference <= tolerance + relative * size;
  }
  const auto rowOf = [&](const std::string& name, const std::string& of, std::vector<double>& values,
                         double largest) {
    AgreementRow row = summarized(name, of, std::move(values), 0, largest, AgreementRow().shareNeeded);
    row.compared = double(compared);
    row.shareWithin = compared > 0 ? double(within) / double(compared) : 1;
    return row;
  };
  agreement.difference = rowOf(quantity.name, quantity.unit, differences, tolerance);
  agreement.relative = rowOf(quantity.name + ", relative", "", ratios, relative);
  return agreement;
}

}  // namespace sulcus
