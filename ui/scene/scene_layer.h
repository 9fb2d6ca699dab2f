#pragma once

#include "core/image/layer.h"

namespace sulcus::ui {

/// What a scene needs to know of a layer. Layers are handed over bottom to top, hidden ones left out.
struct SceneLayer {
  int id = 0;
  LayerPtr layer;
  Display display;
  int volume = 0;  ///< shown volume of a series, from 0
};

}  // namespace sulcus::ui
