#pragma once

#include "core/base/sentence.h"
#include "core/image/layer.h"
#include "ui/scene/common/words.h"
#include "ui/scene/tracts/shown_tracts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::ui::scene {

/// An image that determines the opacity of another one: transparent where it is at or below the low end of
/// its range, or absent, with the full opacity at the high end; for tracts, it determines their color along
/// the lines.
struct OpacityImage {
  LayerPtr layer;
  int volume = 0;
  Range range;
  friend bool operator==(const OpacityImage&, const OpacityImage&) = default;
};

/// What a scene needs to know about a layer. Layers are passed bottom to top, without hidden ones.
struct SceneLayer {
  int id = 0;
  LayerPtr layer;
  Display display;
  int volume = 0;      ///< current volume of a series, or scalars of a surface, from 0; −1: its plain color
  int color = 0;       ///< index of a surface's plain color, different from those of the others
  std::string name{};  ///< its name on screen
  double tile = 0;     ///< mm; > 0: only every second tile of a checkerboard with this edge is drawn
  std::optional<double> cut{};  ///< in slices, drawn only to the right of this fraction of their width
  std::optional<OpacityImage> opacityImage{};   ///< for what is drawn on planes pixel by pixel
  bool sidesAssumed = false;                    ///< nothing says which of its sides is left
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

/// The scalars that color a surface, with their name; null for a plain one and for other layers.
inline const std::pair<const std::string, std::vector<float>>* shownScalars(const Layer& layer, int volume) {
  const auto* content = std::get_if<MeshLayer>(&layer.content);
  if (!content || volume < 0 || volume >= int(content->mesh->pointScalars.size())) return nullptr;
  return &*std::next(content->mesh->pointScalars.begin(), volume);
}

/// The names and colors of the labels that color a surface; null if it is colored by numbers or not at all.
inline std::shared_ptr<const LabelTable> shownLabels(const Layer& layer, int volume) {
  const auto* scalars = shownScalars(layer, volume);
  if (!scalars) return nullptr;
  const auto& tables = std::get<MeshLayer>(layer.content).mesh->labelTables;
  const auto table = tables.find(scalars->first);
  return table == tables.end() ? nullptr : table->second;
}

/// What cannot be relied on in the layers, one line each without details: "Warning: the chains have not
/// converged". The card of the layer and the log of the job have the full message.
inline std::string warningsOf(const std::vector<SceneLayer>& layers) {
  std::vector<std::string> lines;
  for (const SceneLayer& layer : layers)
    for (const Note& note : warningsIn(layer.layer->notes)) {
      const std::string text = note.text.line();
      const std::string line =
          words("Warning") + ": " + text.substr(0, std::min(text.find_first_of(":;("), text.find(". ")));
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  return joined(lines, "\n");
}

inline bool anySidesAssumed(const std::vector<SceneLayer>& layers) {
  return std::ranges::any_of(layers, &SceneLayer::sidesAssumed);
}

/// Removes the actors (by id) of layers that are gone or no longer `wanted`.
template <class Actors, class Wanted>
void dropUnwanted(Actors& actors, const std::vector<SceneLayer>& layers, Wanted&& wanted) {
  std::erase_if(actors, [&](const auto& entry) {
    return std::none_of(layers.begin(), layers.end(),
                        [&](const SceneLayer& layer) { return layer.id == entry.first && wanted(layer); });
  });
}

/// The actor of a layer, made of these arguments if there is none yet.
template <class Actor, class... Arguments>
Actor& actorFor(std::map<int, std::unique_ptr<Actor>>& actors, const SceneLayer& layer,
                const Arguments&... arguments) {
  auto& actor = actors[layer.id];
  if (!actor) actor = std::make_unique<Actor>(arguments...);
  return *actor;
}

}  // namespace sulcus::ui::scene
