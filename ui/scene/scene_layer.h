#pragma once

#include "core/base/sentence.h"
#include "core/image/layer.h"
#include "ui/scene/common/words.h"
#include "ui/scene/tracts/shown_tracts.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::ui::scene {

/// An image that says how opaque another one is: clear where it is at the low end of its range or below, or
/// is not there, as opaque as it was at the high end; of tracts, which color they have along the lines.
struct OpacityImage {
  LayerPtr layer;
  int volume = 0;
  Range range;
  friend bool operator==(const OpacityImage&, const OpacityImage&) = default;
};

/// What a scene needs to know of a layer. Layers are handed over bottom to top, hidden ones left out.
struct SceneLayer {
  int id = 0;
  LayerPtr layer;
  Display display;
  int volume = 0;      ///< shown volume of a series, or scalars of a surface, from 0; −1: its plain color
  int color = 0;       ///< which plain color a surface has, unlike that of the others
  std::string name{};  ///< as it is called on screen
  double tile = 0;     ///< mm; > 0: only every second tile of a checkerboard of this edge is drawn
  std::optional<double> cut{};                  ///< drawn in slices only right of this share of their width
  std::optional<OpacityImage> opacityImage{};   ///< of what is drawn on planes pixel by pixel
  bool sidesAssumed = false;                    ///< nothing says which side of it is left
  std::shared_ptr<const ShownTracts> tracts{};  ///< of tracts; may be null
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

inline bool isTracts(const SceneLayer& layer) {
  return std::holds_alternative<TractsLayer>(layer.layer->content);
}

/// The scalars that color a surface, by name; null for a plain one and for other layers.
inline const std::pair<const std::string, std::vector<float>>* shownScalars(const Layer& layer, int volume) {
  const auto* content = std::get_if<MeshLayer>(&layer.content);
  if (!content || volume < 0 || volume >= int(content->mesh->pointScalars.size())) return nullptr;
  return &*std::next(content->mesh->pointScalars.begin(), volume);
}

/// The names and colors of the labels that color a surface; null where numbers or nothing do.
inline std::shared_ptr<const LabelTable> shownLabels(const Layer& layer, int volume) {
  const auto* scalars = shownScalars(layer, volume);
  if (!scalars) return nullptr;
  const auto& tables = std::get<MeshLayer>(layer.content).mesh->labelTables;
  const auto table = tables.find(scalars->first);
  return table == tables.end() ? nullptr : table->second;
}

/// What cannot be relied on of the layers, a line each without its details: "Warning: the chains have not
/// converged". The card of the layer and the log of the job have the whole sentence.
inline std::string warningsOf(const std::vector<SceneLayer>& layers) {
  std::vector<std::string> lines;
  for (const SceneLayer& layer : layers)
    for (const Note& note : warningsIn(layer.layer->notes)) {
      const std::string line =
          words("Warning") + ": " +
          note.text.substr(0, std::min(note.text.find_first_of(":;("), note.text.find(". ")));
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  return joined(lines, "\n");
}

inline bool anySidesAssumed(const std::vector<SceneLayer>& layers) {
  return std::ranges::any_of(layers, &SceneLayer::sidesAssumed);
}

/// Forgets the actors (by id) of layers that are gone or are not `wanted` any more.
template <class Actors, class Wanted>
void dropUnwanted(Actors& actors, const std::vector<SceneLayer>& layers, Wanted&& wanted) {
  std::erase_if(actors, [&](const auto& entry) {
    return std::none_of(layers.begin(), layers.end(),
                        [&](const SceneLayer& layer) { return layer.id == entry.first && wanted(layer); });
  });
}

}  // namespace sulcus::ui::scene
