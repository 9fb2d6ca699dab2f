// Layers that are compared with each other, whether opened or computed.
#include "ui/model/runs/compared_layers.h"

#include "core/analysis/layer_agreement.h"

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
