#include "core/image/grids/assumed_sides.h"

#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"

#include <set>

namespace sulcus {

std::vector<std::string> sideWarnings(const std::vector<const Layer*>& met) {
  constexpr std::size_t kMostNamed = 3;
  int inSpace = 0;
  std::set<std::string> assumed;
  for (const Layer* layer : met) {
    if (!layer || (!gridOf(*layer) && !isMesh(*layer))) continue;
    ++inSpace;
    if (sidesAreAssumed(*layer)) assumed.insert(layer->name);
  }
  if (inSpace < 2) return {};
  std::vector<std::string> warnings;
  const std::string advice =
      " Hold a side that you know against the picture, and give the file its orientation.";
  if (assumed.size() > kMostNamed)
    return {
        std::string(kWarning) + " the files of " + std::to_string(assumed.size()) +
        " inputs state no orientation, so their left and right are an assumption: where that is wrong, they "
        "were taken as mirrored." +
        advice};
  warnings.reserve(assumed.size());
  for (const std::string& name : assumed)
    warnings.push_back(text(kWarning, " the file of '", name,
                            "' states no orientation, so its left and right are an assumption: if that is "
                            "wrong, it was taken as mirrored.",
                            advice));
  return warnings;
}

}  // namespace sulcus
