#pragma once

#include "ui/widgets/views/plane_view.h"

namespace sulcus::ui::widgets {

/// One plane of the layers at the crosshair, drawn in scanner space with letters, crosshair and color bars.
class SliceView : public PlaneView {
  Q_OBJECT
 public:
  SliceView(model::LayerStack& layers, model::ViewState& view, model::Plane plane, QWidget* parent = nullptr);

  model::Plane plane() const { return plane_; }
  /// The unit normal of the plane shown.
  const Vec3<double>& normal() const { return place().normalOf(plane_); }
  void setPlane(model::Plane plane);
  /// Whether it follows the others. An unlinked view has its own crosshair, rotation and section, which start
  /// as those of the others.
  void setLinked(bool on);
  bool isLinked() const { return linked_; }
  /// Its position; for a linked view that of all.
  model::ViewState& place() const override { return linked_ ? view_ : *own_; }
  /// Scanner position under a pixel of this widget.
  Vec3<double> worldAt(QPointF widgetPosition) const;

 private:
  scene::SliceCamera camera() const override;
  std::optional<Vec3<double>> worldUnder(QPointF position) const override { return worldAt(position); }
  void step(int slices) override;
  void updateScene() override;
  /// The caption of the overlay, and whether the view is unlinked.
  QString caption() const;

  scene::SliceScene& scene_;
  model::ViewState* own_;  ///< its position while it is not linked
  bool linked_ = true;
  model::Plane plane_;
};

}  // namespace sulcus::ui::widgets
