#pragma once

#include "core/image/layer.h"

#include <algorithm>
#include <vector>

namespace sulcus::ui {

/// What a scene needs to know of a layer. Layers are handed over bottom to top, hidden ones left out.
struct SceneLayer {
  int id = 0;
  LayerPtr layer;
  Display display;
  int volume = 0;   ///< shown volume of a series, from 0
  double tile = 0;  ///< mm; > 0: only every second tile of a checkerboard of this edge is drawn
};

inline bool isPeaks(const SceneLayer& layer) {
  return std::holds_alternative<PeaksLayer>(layer.layer->content);
}
inline bool isVolume(const SceneLayer& layer) {
  return std::holds_alternative<VolumeLayer>(layer.layer->content);
}
inline bool isField(const SceneLayer& layer) {
  return std::holds_alternative<DisplacementLayer>(layer.layer->content);
}
inline bool isMesh(const SceneLayer& layer) {
  return std::holds_alternative<MeshLayer>(layer.layer->content);
}

/// Forgets the actors (by id) of layers that are gone or are not `wanted` any more.
template <class Actors, class Wanted>
void dropUnwanted(Actors& actors, const std::vector<SceneLayer>& layers, Wanted&& wanted) {
  std::erase_if(actors, [&](const auto& entry) {
    return std::none_of(layers.begin(), layers.end(),
                        [&](const SceneLayer& layer) { return layer.id == entry.first && wanted(layer); });
  });
}

}  // namespace sulcus::ui
