#include "core/image/grids/assumed_sides.h"

#include "core/image/display/layer_kinds.h"

namespace sulcus {

std::vector<std::string> sideWarnings(const std::vector<const Layer*>& met) {
  std::vector<std::string> warnings;
  int inSpace = 0;
  for (const Layer* layer : met) {
    if (!layer || (!gridOf(*layer) && !isMesh(*layer))) continue;
    ++inSpace;
    if (sidesAreAssumed(*layer))
      warnings.push_back(std::string(kWarning) + " the file of '" + layer->name +
                         "' states no orientation, so its left and right are an assumption: if that is "
                         "wrong, it was taken as mirrored. Hold a side that you know against the picture, "
                         "and give the file its orientation.");
  }
  std::ranges::sort(warnings);
  warnings.erase(std::unique(warnings.begin(), warnings.end()), warnings.end());
  return inSpace > 1 ? warnings : std::vector<std::string>();
}

}  // namespace sulcus
