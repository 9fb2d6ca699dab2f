#pragma once

#include "ui/model/layer_stack.h"
#include "ui/scene/scene_layer.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace sulcus::ui {

/// What a view hands its scene: the layers named by `shown`, else all visible ones, bottom to top.
inline std::vector<SceneLayer> sceneLayers(const LayerStack& layers,
                                           const std::optional<std::vector<LayerId>>& shown) {
  std::vector<SceneLayer> chosen;
  for (const LayerState& state : layers.layers()) {
    const bool wanted =
        shown ? std::find(shown->begin(), shown->end(), state.id) != shown->end() : state.display.visible;
    if (wanted) chosen.push_back({state.id, state.layer, state.display, state.volume});
  }
  return chosen;
}

}  // namespace sulcus::ui
