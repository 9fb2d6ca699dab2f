#include "core/image/display/statistic_map.h"

#include "core/image/display/layer_kinds.h"

#include <algorithm>
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

}  // namespace sulcus
