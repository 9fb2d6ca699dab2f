#include "ui/model/layers/arrived_layers.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {

ArrivedLayers::ArrivedLayers(const std::vector<Analysis>& analyses, LayerStack& layers,
                             const jobs::FileJobs& files, const Session& session)
    : analyses_(analyses), layers_(layers) {
  connect(&layers_, &LayerStack::added, this, [this, &session](LayerId id) {
    if (layers_.find(id)->origin != Origin::given) return;
    expected_ = true;
    if (!session.isRestoring()) fresh_.insert(id);
  });
  connect(&files, &jobs::FileJobs::idle, this, [this] {
    if (!std::exchange(expected_, false)) return;
    groupResults();
    emit arrived();
  });
}

void ArrivedLayers::groupResults() {
  const std::vector<OpenedResult> before = std::exchange(results_, openedResults(layers_, analyses_));
  const LayerStack::BatchUpdate together(layers_);
  for (const auto& [folder, ids] : results_) {
    emit resultOpened(ids);
    const bool isKnown = std::ranges::find(before, folder, &OpenedResult::folder) != before.end();
    const auto isFresh = [this](LayerId id) { return fresh_.contains(id); };
    if (isKnown || !std::ranges::all_of(ids, isFresh)) continue;
    for (const LayerId id : ids) layers_.setVisible(id, id == ids.front());
    layers_.setCurrent(ids.front());
  }
  fresh_.clear();
}

}  // namespace sulcus::ui::model
