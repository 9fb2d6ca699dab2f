#pragma once

#include "core/image/grid.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"

#include <QObject>

namespace sulcus::ui::model {

/// Centers the view: by itself on the first layer with a position that is opened, and on a larger one that
/// is opened before the user has moved the crosshair. Lives on the UI thread.
class Framing : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  Framing(LayerStack& layers, ViewState& view);

  /// Centers the view on the current layer; false if it has no position.
  bool frameCurrent();
  /// Centers the view on the current layer, or on the lowest one with a position if it has none.
  void frameAny();
  /// Whether the view has a position: then no further layer moves it.
  void setFramed(bool framed) { framed_ = framed; }

 signals:
  /// The view has been centered on the first layer with a position.
  void firstLayerFramed();

 private:
  void layerAdded(LayerId id);

  LayerStack& layers_;
  ViewState& view_;
  bool framed_ = false;    ///< the first layer has set the view position
  Vec3<double> framedAt_;  ///< the crosshair since then, unless it was moved
};

}  // namespace sulcus::ui::model
