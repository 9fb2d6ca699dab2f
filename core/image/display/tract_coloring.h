#pragma once

#include "core/image/layer.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus {

/// What lines may be colored by; LayerState::volume is an index into these.
struct TractColoring {
  enum class By { direction, plain, group, line, point };
  By by = By::direction;
  const Tracts::Data* data = nullptr;  ///< by line or point: the first component is shown
};

/// All colorings available for tracts: direction, one color, groups or bundles, data.
std::vector<TractColoring> coloringsOf(const Tracts& tracts);
/// Their names in a menu.
std::vector<std::string> coloringNames(const Tracts& tracts);
/// The coloring selected for a layer of tracts; null for other layers.
std::optional<TractColoring> shownColoring(const Layer& layer, int volume);
/// The data that color the lines, which have a range and a color bar; null for others.
const Tracts::Data* shownTractData(const Layer& layer, int volume);

}  // namespace sulcus
