#include "core/image/display/tract_coloring.h"

#include <algorithm>

namespace sulcus {

std::vector<TractColoring> coloringsOf(const Tracts& tracts) {
  using By = TractColoring::By;
  std::vector<TractColoring> all{{By::direction}, {By::plain}, {By::group}};
  for (const auto& data : tracts.perLine) all.push_back({By::line, &data});
  for (const auto& data : tracts.perPoint) all.push_back({By::point, &data});
  return all;
}

std::vector<std::string> coloringNames(const Tracts& tracts) {
  std::vector<std::string> names;
  for (const TractColoring& coloring : coloringsOf(tracts)) switch (coloring.by) {
      case TractColoring::By::direction:
        names.emplace_back("direction");
        break;
      case TractColoring::By::plain:
        names.emplace_back("one color");
        break;
      case TractColoring::By::group:
        names.emplace_back("group or bundle");
        break;
      default:
        names.emplace_back(coloring.data->name);
    }
  return names;
}

std::optional<TractColoring> shownColoring(const Layer& layer, int volume) {
  const auto* lines = std::get_if<TractsLayer>(&layer.content);
  if (!lines) return {};
  const auto all = coloringsOf(*lines->tracts);
  return all[std::clamp(volume, 0, int(all.size()) - 1)];
}

const Tracts::Data* shownTractData(const Layer& layer, int volume) {
  const auto coloring = shownColoring(layer, volume);
  return coloring ? coloring->data : nullptr;
}

}  // namespace sulcus
