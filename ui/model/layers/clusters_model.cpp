#include "ui/model/layers/clusters_model.h"

#include "core/image/display/layer_kinds.h"
#include "ui/model/text/localize.h"

#include <ranges>
#include <tuple>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// Whether a layer names anatomical regions: a mask without names does not.
bool isAtlas(const Layer& layer) {
  const auto* labels = std::get_if<LabelsLayer>(&layer.content);
  return labels && (labels->names || !holdsOneLabel(*labels->labels));
}

}  // namespace

ClustersModel::ClustersModel(LayerStack& layers, JobQueue& tables, QObject* parent)
    : QObject(parent), layers_(layers), finding_(tables) {
  for (const LayerState& state : layers_.layers()) judge(state.id);
  // Connected first, since the slots below all ask for the atlases.
  for (auto signal : {&LayerStack::added, &LayerStack::contentChanged, &LayerStack::removed})
    connect(&layers_, signal, this, &ClustersModel::judge);
  connect(&layers_, &LayerStack::changed, this, &ClustersModel::layersDiffer);
}

void ClustersModel::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  askedMap_.reset(), askedLabels_.reset();
  refresh();
}

void ClustersModel::setOptions(const ClusterOptions& options) {
  options_ = options;
  askedMap_.reset();
  refresh();
}

void ClustersModel::judge(LayerId id) {
  const LayerState* state = layers_.find(id);
  if (state && isAtlas(*state->layer))
    atlases_.insert(id);
  else
    atlases_.erase(id);
}

std::vector<LayerId> ClustersModel::labelLayers() const {
  std::vector<LayerId> found;
  for (const LayerState& state : layers_.layers() | std::views::reverse)
    if (atlases_.contains(state.id)) found.push_back(state.id);
  return found;
}

LayerId ClustersModel::labels() const {
  if (chosenLabels_ && (*chosenLabels_ == 0 || atlases_.contains(*chosenLabels_))) return *chosenLabels_;
  const auto first = [&](const auto& is) {
    for (const LayerState& state : layers_.layers() | std::views::reverse)
      if (atlases_.contains(state.id) && is(state)) return state.id;
    return 0;
  };
  const LayerId named = first(
      [](const LayerState& state) { return std::get<LabelsLayer>(state.layer->content).names != nullptr; });
  return named ? named : first([](const LayerState& state) { return state.origin == Origin::given; });
}

void ClustersModel::chooseLabels(LayerId id) {
  chosenLabels_ = id;
  layersDiffer();
}

void ClustersModel::layersDiffer() {
  emit labelsChanged();
  refresh();
}

void ClustersModel::say(const QString& sentence) {
  finding_.drop();
  askedMap_.reset(), askedLabels_.reset();
  table_.reset();
  summary_ = sentence;
  emit changed();
}

void ClustersModel::refresh() {
  if (!active_) return;
  const LayerState* state = layers_.find(layers_.current());
  if (!state || !std::holds_alternative<VolumeLayer>(state->layer->content))
    return say(tr("Choose a map in the list of layers to list its clusters and peaks."));
  if (!state->display.hideBelow && !state->display.hideAbove)
    return say(tr("Set Hide below of %1 to list its clusters.").arg(state->name));
  const LayerState* labels = layers_.find(this->labels());
  const LayerPtr names = labels ? labels->layer : nullptr;
  const auto thresholds = [](const Display& d) {
    return std::tuple(d.hideBelow, d.hideAbove, d.negativeColormap.empty());
  };
  if (askedMap_ == state->layer && askedName_ == state->name && askedLabels_ == names &&
      askedVolume_ == state->volume && thresholds(askedDisplay_) == thresholds(state->display))
    return;
  askedMap_ = state->layer;
  askedName_ = state->name;
  askedLabels_ = names;
  askedVolume_ = state->volume;
  askedDisplay_ = state->display;
  finding_.submit(
      [request = ClusterRequest{state->layer, state->volume, state->display, options_, names},
       name = state->name.toStdString()](const Progress& progress) {
        Layer layer = clusterLayer(request, progress);
        layer.name = "clusters of " + name;
        return std::make_shared<const Layer>(std::move(layer));
      },
      [this, name = state->name](const LayerPtr& table) {
        table_ = table;
        summary_ = name + QStringLiteral(": ") + noteText(table->notes.front());
        emit changed();
      },
      [this](const Message& fault) { say(localizeForWindow(fault)); });
}

}  // namespace sulcus::ui::model
