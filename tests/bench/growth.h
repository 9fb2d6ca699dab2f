#pragma once

#include <cmath>
#include <optional>
#include <vector>

namespace sulcus::bench {

/// d log(time) / d log(size) between a row and that of the next smaller size in its series; none for the
/// smallest. A row has series(), which is equal if only the size differs, problemSize() and seconds().
template <class Row>
std::optional<double> growthExponent(const std::vector<Row>& rows, const Row& of) {
  const Row* smaller = nullptr;
  for (const auto& row : rows)
    if (row.series() == of.series() && row.problemSize() < of.problemSize() &&
        (!smaller || row.problemSize() > smaller->problemSize()))
      smaller = &row;
  if (!smaller) return {};
  return std::log(of.seconds() / smaller->seconds()) / std::log(of.problemSize() / smaller->problemSize());
}

}  // namespace sulcus::bench
