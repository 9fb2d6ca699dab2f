// Layers that are compared with each other, whether opened or computed.
#include "ui/model/comparison/compared_layers.h"

#include "core/analysis/layer_agreement.h"
#include "core/image/tracts/line_density.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// Compares two layers in place of an analysis.
const Analysis& comparedLayers() {
  static const Analysis layers = [] {
    Analysis made;
    made.name = "layers";
    made.title = "Layers";
    made.compare = [](const RunResult& a, const RunResult& b, const Progress& progress) {
      const Layer &first = a.layers.front(), &second = b.layers.front();
      return compareLayers(first, second, seenLimits(first), progress);
    };
    return made;
  }();
  return layers;
}

}  // namespace

std::optional<std::array<Layer, 2>> mapsBeside(const RunResult& a, const RunResult& b,
                                               const Progress& progress) {
  const auto tracts = [](const RunResult& result) {
    return result.layers.empty() ? nullptr : std::get_if<TractsLayer>(&result.layers.front().content);
  };
  const TractsLayer *first = tracts(a), *second = tracts(b);
  if (!first || !second) return {};
  const auto made = [](const RunResult& result) {
    const auto found = std::ranges::find(result.layers, "density", &Layer::name);
    return found == result.layers.end() ? nullptr : &*found;
  };
  const Layer *mapA = made(a), *mapB = made(b);
  if (mapA && mapB && sameGrid(*gridOf(*mapA), *gridOf(*mapB))) return std::array{*mapA, *mapB};
  const auto scan = [](const TractsLayer& lines) { return lines.scan ? &*lines.scan : nullptr; };
  auto maps = densitiesOf(*first->tracts, scan(*first), *second->tracts, scan(*second), progress);
  const auto layer = [](Volume<float> map) {
    return mapLayer("density", "lines", "magma", Series<float>(std::move(map)));
  };
  return std::array{layer(std::move(maps[0])), layer(std::move(maps[1]))};
}

Layer differenceOf(const std::array<Layer, 2>& maps) {
  const auto& [first, second] = maps;
  Series<float> difference = *std::get<VolumeLayer>(first.content).series;
  const auto& others = std::get<VolumeLayer>(second.content).series->values;
  for (std::size_t v = 0; v < difference.values.size(); ++v) difference.values[v] -= others[v];
  return mapLayer("difference", first.unit, "cool-warm", std::move(difference));
}

RunPtr sideOf(const LayerState& layer) {
  auto side = std::make_shared<Run>();
  side->analysis = &comparedLayers();
  side->title = layer.name;
  side->layers = {layer.id};
  auto result = std::make_shared<RunResult>();
  result->layers = {*layer.layer};
  result->layers.front().name = layer.name.toStdString();
  side->result = std::move(result);
  return side;
}

}  // namespace sulcus::ui::model
