#include "ui/widgets/scene_layers.h"

#include "ui/widgets/canvas.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui {

SceneLayers::SceneLayers(const LayerStack& layers, const ViewState& view, Canvas* canvas)
    : QObject(canvas), layers_(layers), canvas_(canvas) {
  connect(&layers, &LayerStack::added, this, &SceneLayers::change);
  connect(&layers, &LayerStack::removed, this, &SceneLayers::change);
  connect(&layers, &LayerStack::reordered, this, &SceneLayers::change);
  connect(&layers, &LayerStack::displayChanged, this, &SceneLayers::change);
  connect(&layers, &LayerStack::contentChanged, this, &SceneLayers::change);
  connect(&view, &ViewState::crosshairChanged, canvas, &Canvas::drawSoon);
}

void SceneLayers::change() {
  changed_ = true;
  canvas_->drawSoon();
}

void SceneLayers::setShown(std::optional<std::vector<LayerId>> shown) {
  shown_ = std::move(shown);
  change();
}

std::optional<std::vector<SceneLayer>> SceneLayers::takeChanged() {
  if (!std::exchange(changed_, false)) return std::nullopt;
  std::vector<SceneLayer> chosen;
  for (const LayerState& state : layers_.layers()) {
    const bool wanted =
        shown_ ? std::find(shown_->begin(), shown_->end(), state.id) != shown_->end() : state.display.visible;
    if (wanted) chosen.push_back({state.id, state.layer, state.display, state.volume});
  }
  return chosen;
}

}  // namespace sulcus::ui
