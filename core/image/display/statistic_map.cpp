#include "core/image/display/statistic_map.h"

#include "core/image/display/layer_kinds.h"
#include "core/math/strided_sample.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <regex>
#include <utility>

namespace sulcus {
namespace {

constexpr std::pair<int, const char*> kStatistics[] = {{2, "r"}, {3, "t"},  {4, "F"},
                                                       {5, "z"}, {6, "χ²"}, {22, "p"}};

}  // namespace

std::string statisticOfIntent(int intent) {
  const auto found = std::ranges::find(kStatistics, intent, &std::pair<int, const char*>::first);
  return found == std::end(kStatistics) ? "" : found->second;
}

bool isStatisticMap(const Layer& layer) {
  static const std::regex name(
      "(thresh_)?z?[tzf]stat[0-9]+.*|cope[0-9]+.*|(spm[tf]|con)_[0-9]{4}.*|.*_statmap", std::regex::icase);
  const auto isUnit = [&](const auto& one) { return layer.unit == one.second; };
  return isVolume(layer) && (std::ranges::any_of(kStatistics, isUnit) || std::regex_match(layer.name, name));
}

int certaintyIn(const Layer& layer) {
  constexpr std::int64_t kSampled = 20'000;
  constexpr double kLeastEmpty = 0.3, kLeastBetween = 0.02;  // of the sampled voxels
  constexpr float kNearlyCertain = 95;                       // percent: a scan seldom ends just there
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  if (!volume || volume->colors || !volume->series || volume->series->count != 1) return 0;
  const Series<float>& series = *volume->series;
  std::int64_t all = 0, empty = 0, belowOne = 0, above = 0;
  float least = 0, most = 0;
  forStridedSample(series.grid.voxels(), kSampled, [&](std::int64_t i) {
    const float value = series.at(i, 0);
    ++all;
    empty += value == 0;
    belowOne += value > 0 && value < 1;
    above += value >= 1 && value < 100;
    least = std::isfinite(value) ? std::min(least, value) : -1;
    most = std::max(most, value);
  });
  const bool isPercent = most > kNearlyCertain && most <= 100;
  const std::int64_t between = isPercent ? belowOne + above : belowOne;
  if (least < 0 || !(most <= 1 || isPercent) || double(empty) < kLeastEmpty * double(all) ||
      double(between) < kLeastBetween * double(all))
    return 0;
  return isPercent ? 100 : 1;
}

}  // namespace sulcus
