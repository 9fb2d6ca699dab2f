#pragma once

#include "ui/model/layers/image_overlay.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/volume3d/mesh_shape.h"

#include <QObject>
#include <optional>
#include <vector>

namespace sulcus::ui::widgets {

class Canvas;

/// The layers that a view passes to its scene. Requests a frame from the view's canvas when a layer or the
/// crosshair changed.
class SceneLayers : public QObject {
  Q_OBJECT
 public:
  /// A child of the canvas; the others must outlive it.
  SceneLayers(const model::LayerStack& layers, const model::ViewState& view, Canvas* canvas);

  /// Only these layers; none: all visible ones.
  void setShown(std::optional<std::vector<model::LayerId>> shown);
  /// Shows two images as in the overlay while that is on and no layers were chosen; it must outlive this.
  void setPair(const model::ImageOverlay* pair);
  /// Whether only some layers are shown, so that the overlay is not.
  bool isChosen() const { return shown_.has_value(); }
  /// What the overlay shows, or "".
  QString caption() const { return pair_ && !shown_ ? pair_->caption() : QString(); }
  QString captionIn3d() const { return pair_ && !shown_ ? pair_->captionIn3d() : QString(); }
  /// Captures what is to be drawn, for takeChanged().
  void take();
  /// The layers bottom to top as last captured, if anything has changed since the last call.
  std::optional<std::vector<scene::SceneLayer>> takeChanged();

 private:
  void change();
  bool isShown(const model::LayerState& state) const;
  bool areSidesAssumed(model::LayerId id) const;
  std::optional<scene::OpacityImage> opacityImageOf(model::LayerId id) const;
  std::vector<scene::SceneLayer> pairLayers() const;

  const model::LayerStack& layers_;
  Canvas* canvas_;
  const model::ImageOverlay* pair_ = nullptr;
  std::optional<std::vector<model::LayerId>> shown_;
  std::vector<scene::MeshShapePtr> shapes_;  ///< of the visible surfaces
  std::optional<std::vector<scene::SceneLayer>> taken_;
  bool changed_ = true;
};

}  // namespace sulcus::ui::widgets
