#include "core/preparation/carpet.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::preparation {

std::vector<std::int64_t> carpetVoxels(std::int64_t voxels, const std::function<bool(std::int64_t)>& isInside,
                                       int most) {
  std::vector<std::int64_t> inside;
  for (std::int64_t i = 0; i < voxels; ++i)
    if (isInside(i)) inside.push_back(i);
  std::vector<std::int64_t> shown;
  const auto step = std::max<std::size_t>(1, inside.size() / std::size_t(most));
  for (std::size_t i = 0; i < inside.size() && int(shown.size()) < most; i += step)
    shown.push_back(inside[i]);
  std::ranges::reverse(shown);
  return shown;
}

std::vector<std::vector<double>> carpetOf(const Series<float>& series, std::span<const std::int64_t> voxels) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<double>> rows;
  for (const std::int64_t voxel : voxels) {
    double sum = 0, squares = 0;
    for (int v = 0; v < series.count; ++v) sum += series.at(voxel, v);
    const double mean = sum / series.count;
    for (int v = 0; v < series.count; ++v) squares += std::pow(series.at(voxel, v) - mean, 2);
    const double deviation = std::sqrt(squares / series.count);
    auto& row = rows.emplace_back(std::size_t(series.count), kNone);
    if (!(deviation > 0) || !std::isfinite(deviation)) continue;
    for (int v = 0; v < series.count; ++v) row[v] = (series.at(voxel, v) - mean) / deviation;
  }
  return rows;
}

}  // namespace sulcus::preparation
