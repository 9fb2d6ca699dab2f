// Layers that are held against each other, be they opened or computed.
#include "ui/model/runs/compared_layers.h"

#include "core/analysis/layer_agreement.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// What compares two layers in the place of an analysis.
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

const Layer& layerOf(const Run& side) { return side.result->layers.front(); }

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

std::vector<RunPtr> RunController::sides() const {
  std::vector<RunPtr> all = runs_;
  const auto& layers = layers_.layers();
  for (auto state = layers.rbegin(); state != layers.rend(); ++state)
    if (state->origin != Origin::temporary && sulcus::mayCompare(*state->layer, *state->layer))
      all.push_back(sideOf(*state));
  return all;
}

RunPtr RunController::sideLike(const RunPtr& side, const RunPtr& other) const {
  if (!side || !other || side->analysis == other->analysis || isLayerSide(*side)) return side;
  if (!isLayerSide(*other)) return nullptr;  // of two analyses
  for (const LayerId id : side->layers)
    if (const LayerState* state = layers_.find(id);
        state && sulcus::mayCompare(*state->layer, layerOf(*other)))
      return sideOf(*state);
  return nullptr;
}

bool RunController::mayCompare(const RunPtr& a, const RunPtr& b) const {
  const RunPtr first = sideLike(a, b), second = sideLike(b, a);
  if (!first || !second || first == second) return false;
  if (!isLayerSide(*first)) return true;
  return first->layers != second->layers && sulcus::mayCompare(layerOf(*first), layerOf(*second));
}

bool RunController::isThere(const Run& side) const {
  if (!isLayerSide(side)) return run(side.id) != nullptr;
  const LayerState* state = layers_.find(side.layers.front());
  return state && sameContent(state->layer->content, layerOf(side).content);
}

void RunController::endComparisonOf(LayerId layer) {
  if (!compared_) return;
  for (const RunPtr& side : {compared_->a, compared_->b})
    if (isLayerSide(*side) && side->layers.front() == layer && !isThere(*side)) return endComparison(side);
}

}  // namespace sulcus::ui::model
