#include "core/image/grids/assumed_sides.h"

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
    if (sidesAreAssumed(*layer)) assumed.insert("the file of '" + layer->name + "' states");
  }
  if (inSpace < 2) return {};
  if (assumed.size() > kMostNamed)
    assumed = {"the files of " + std::to_string(assumed.size()) + " inputs state"};
  std::vector<std::string> warnings;
  for (const std::string& who : assumed)
    warnings.push_back(std::string(kWarning) + " " + who +
                       " no orientation, so its left and right are an assumption: if that is "
                       "wrong, it was taken as mirrored. Hold a side that you know against the picture, "
                       "and give the file its orientation.");
  return warnings;
}

}  // namespace sulcus
