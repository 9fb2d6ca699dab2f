#include "core/image/diffusion/gradients.h"

#include <algorithm>

namespace sulcus {
namespace {

constexpr double kBaselineGap = 20;     // s/mm², between b-values of the lowest cluster
constexpr double kFarFromBaseline = 4;  // factor from the largest of them to the next b-value, at least

std::vector<int> volumesWhere(const GradientTable& table, bool weighted) {
  const double threshold = b0Threshold(table);
  std::vector<int> volumes;
  for (int v = 0; v < int(table.rows.size()); ++v)
    if ((table.rows[v].b >= threshold) == weighted) volumes.push_back(v);
  return volumes;
}

}  // namespace

double b0Threshold(const GradientTable& table) {
  std::vector<double> values;
  for (const auto& row : table.rows) values.push_back(row.b);
  std::sort(values.begin(), values.end());
  std::size_t end = 1;  // end of the lowest cluster
  while (end < values.size() && values[end] - values[end - 1] <= kBaselineGap) ++end;
  if (end >= values.size()) return kB0Threshold;
  const double largest = values[end - 1];
  const bool isBaseline =
      largest >= kB0Threshold && largest < kLargestBaseline && values[end] >= kFarFromBaseline * largest;
  return isBaseline ? kLargestBaseline : kB0Threshold;
}

std::vector<int> weightedVolumes(const GradientTable& table) { return volumesWhere(table, true); }
std::vector<int> unweightedVolumes(const GradientTable& table) { return volumesWhere(table, false); }

}  // namespace sulcus
