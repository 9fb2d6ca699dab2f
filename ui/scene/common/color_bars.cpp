#include "ui/scene/common/color_bars.h"

#include <ranges>

namespace sulcus::ui::scene {

double ColorBars::show(const std::vector<SceneLayer>& layers,
                       const std::function<LayerColors*(const SceneLayer&)>& colorsOf, const Room& room) {
  dropUnwanted(bars_, layers, [](const SceneLayer&) { return true; });
  int index = 0, lines = 0;
  for (const SceneLayer& layer : std::views::reverse(layers)) {
    LayerColors* const colors = colorsOf(layer);
    if (!colors) {
      bars_.erase(layer.id);
      continue;
    }
    ColorBar& bar = actorFor(bars_, layer, renderer_);
    bar.show(layer, colors);
    lines += bar.layOut(room.width, room.height, index++, room.bottom, room.across, lines);
  }
  return room.across ? ColorBar::heightAcross(index, lines) : 0;
}

}  // namespace sulcus::ui::scene
