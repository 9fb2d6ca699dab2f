#pragma once

#include "core/image/layer.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus {

/// What lines may be colored by; LayerState::volume counts these.
struct TractColoring {
  enum class By { direction, plain, group, line, point };
  By by = By::direction;
  const Tracts::Data* data = nullptr;  ///< of line and point: their first component
};

/// All that the lines of a layer may be colored by: their direction, one color, their groups or bundles,
/// their data.
std::vector<TractColoring> coloringsOf(const Tracts& tracts);
/// How a menu calls them.
std::vector<std::string> coloringNames(const Tracts& tracts);
/// The chosen one of a layer of tracts; null for other layers.
std::optional<TractColoring> shownColoring(const Layer& layer, int volume);
/// The data that color the lines, which have a range and a bar; null for others.
const Tracts::Data* shownTractData(const Layer& layer, int volume);

}  // namespace sulcus
