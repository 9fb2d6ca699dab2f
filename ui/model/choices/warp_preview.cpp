#include "ui/model/choices/warp_preview.h"

#include "core/image/warp.h"
#include "ui/model/text/localize.h"

#include <utility>

namespace sulcus::ui::model {

WarpPreview::WarpPreview(LayerStack& layers, JobQueue& quick, QObject* parent)
    : QObject(parent), layers_(layers), making_(quick) {}

WarpPreview::~WarpPreview() = default;

void WarpPreview::show(LayerId warp, const Reinterpretation& reinterpretation) {
  const LayerState* state = layers_.find(warp);
  if (!state) return;
  making_.submit(
      [layer = state->layer, reinterpretation](const Progress&) {
        Layer made = reinterpret(*layer, reinterpretation);
        made.name += " (preview)";
        made.display.opacity = 0.8;
        const Series<float>& u = *std::get<DisplacementLayer>(made.content).displacement;
        const WarpReach reach = reachOf(u, reinterpretation.moving.value_or(u.grid));
        return std::pair(std::make_shared<const Layer>(std::move(made)), reach);
      },
      [this](const std::pair<LayerPtr, WarpReach>& made) {
        const WarpReach& reach = made.second;
        summary_ = tr("Points move by %1 mm (median), at most %2 mm; %3 % end up outside the moving image.")
                       .arg(reach.median, 0, 'f', 1)
                       .arg(reach.largest, 0, 'f', 1)
                       .arg(100 * reach.outside, 0, 'f', 0);
        if (layers_.find(shown_))
          layers_.replaceContent(shown_, made.first);
        else
          shown_ = layers_.add(made.first, Origin::temporary);
        emit changed();
      },
      [this](const Message& fault) {
        hide();
        summary_ = localizeForWindow(fault);
        emit changed();
      });
}

void WarpPreview::hide() {
  making_.drop();
  if (const LayerId id = std::exchange(shown_, 0); layers_.find(id)) layers_.remove(id);
}

}  // namespace sulcus::ui::model
