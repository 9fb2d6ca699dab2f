#include "ui/model/choices/findings.h"

#include <utility>

namespace sulcus::ui::model {

Findings::Findings(LayerStack& layers, const std::vector<Analysis>& analyses, JobQueue& queue,
                   QObject* parent)
    : QObject(parent), layers_(layers), analyses_(analyses), queue_(queue) {
  connect(&layers_, &LayerStack::added, this, &Findings::look);
  connect(&layers_, &LayerStack::contentChanged, this, &Findings::look);
}

const Finding* Findings::of(LayerId id) const {
  const LayerState* state = layers_.find(id);
  if (!state) return nullptr;
  const auto known = known_.find(state->layer);
  return known != known_.end() && known->second ? &*known->second : nullptr;
}

void Findings::dismiss(LayerId id) {
  if (!of(id)) return;
  known_.find(layers_.find(id)->layer)->second.reset();
  emit changed(id);
}

void Findings::look(LayerId id) {
  std::erase_if(known_, [](const auto& one) { return one.first.expired(); });
  const LayerState* state = layers_.find(id);
  // Only files are checked; computed layers follow from their inputs.
  if (!state || state->origin != Origin::given || state->layer->source.empty()) return;
  if (!known_.try_emplace(state->layer).second) return emit changed(id);
  queue_.submit(
      [layer = state->layer, &analyses = analyses_](const Progress& progress) {
        for (const Analysis& analysis : analyses)
          if (auto found = analysis.check ? analysis.check(*layer, progress) : std::nullopt)
            return std::pair(layer, std::optional(std::move(*found)));
        return std::pair(layer, std::optional<Finding>());
      },
      [this, id](std::pair<LayerPtr, std::optional<Finding>> found) {
        known_[found.first] = std::move(found.second);
        emit changed(id);
      });
}

}  // namespace sulcus::ui::model
