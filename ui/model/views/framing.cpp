#include "ui/model/views/framing.h"

#include "ui/model/layers/readout.h"

#include <utility>

namespace sulcus::ui::model {

Framing::Framing(LayerStack& layers, ViewState& view) : layers_(layers), view_(view) {
  connect(&layers_, &LayerStack::added, this, &Framing::layerAdded);
  connect(&layers_, &LayerStack::removed, this, [this] { framed_ = framed_ && !layers_.empty(); });
}

void Framing::layerAdded(LayerId id) {
  const LayerState& state = *layers_.find(id);
  // Of layers opened together, the largest is shown in full, whichever comes first.
  const bool larger = state.origin == Origin::given && extentOf(*state.layer) > view_.extent();
  if (framed_ && !(larger && view_.crosshair() == framedAt_)) return;
  if (!frameOn(*state.layer, view_)) return;
  framedAt_ = view_.crosshair();
  if (!std::exchange(framed_, true)) emit firstLayerFramed();
}

bool Framing::frameCurrent() {
  const LayerState* state = layers_.find(layers_.current());
  return state && frameOn(*state->layer, view_);
}

void Framing::frameAny() {
  if (frameOnVisible(layers_.layers(), view_) || frameCurrent()) return;
  for (const LayerState& state : layers_.layers())
    if (frameOn(*state.layer, view_)) return;
}

}  // namespace sulcus::ui::model
