#include "core/image/grids/assumed_sides.h"

#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"

#include <set>

namespace sulcus {

Note assumedSides(const Message& why) {
  return Note(why + " Left and right are an assumption.").about(Subject::assumedSides);
}

Notes sideWarnings(const std::vector<const Layer*>& met) {
  constexpr std::size_t kMostNamed = 3;
  int inSpace = 0;
  std::set<std::string> assumed;
  for (const Layer* layer : met) {
    if (!layer || (!gridOf(*layer) && !isMesh(*layer))) continue;
    ++inSpace;
    if (sidesAreAssumed(*layer)) assumed.insert(layer->name);
  }
  if (inSpace < 2) return {};
  const char* const advice =
      "Compare the picture with a side you know, and store the orientation in the file.";
  if (assumed.size() > kMostNamed)
    return {Note::warning(text("the files of ", assumed.size(),
                               " inputs state no orientation, so their left and right are an assumption: "
                               "where that is wrong, they were taken as mirrored."),
                          advice)};
  Notes warnings;
  for (const std::string& name : assumed)
    warnings.push_back(
        Note::warning(text("the file of '", name,
                           "' states no orientation, so its left and right are an assumption: if that is "
                           "wrong, it was taken as mirrored."),
                      advice));
  return warnings;
}

}  // namespace sulcus
