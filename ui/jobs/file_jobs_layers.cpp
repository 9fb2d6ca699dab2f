#include "core/image/display/layer_kinds.h"
#include "core/image/table_places.h"
#include "ui/jobs/file_jobs.h"

namespace sulcus::ui::jobs {

model::LayerId FileJobs::foundBefore(const Layer& layer) const {
  const auto* const table = std::get_if<TableLayer>(&layer.content);
  if (!table) return {};
  for (const model::LayerId id : besideScans_) {
    const model::LayerState* const state = layers_.find(id);
    const auto* const known = state ? std::get_if<TableLayer>(&state->layer->content) : nullptr;
    if (known && state->layer->source == layer.source && known->columns == table->columns &&
        known->rows == table->rows)
      return id;
  }
  return {};
}

void FileJobs::lowerImage(model::LayerId id) {
  const auto& all = layers_.layers();
  const auto isImage = [](const model::LayerState& state) {
    return std::holds_alternative<VolumeLayer>(state.layer->content);
  };
  if (!isImage(all.back())) return;
  int position = int(all.size()) - 1;
  for (int below = position - 1; below >= 0; --below) {
    const model::LayerState& state = all[std::size_t(below)];
    if (state.origin != model::Origin::given || isImage(state)) break;
    if (isDrawn(*state.layer)) position = below;
  }
  layers_.move(id, position);
}

}  // namespace sulcus::ui::jobs
