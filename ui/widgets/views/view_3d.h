#pragma once

#include "ui/widgets/views/scene_view.h"

#include <QPointer>
#include <utility>

class QMouseEvent;
class QWheelEvent;

namespace sulcus::ui::model {
class MovableRegions;
}
namespace sulcus::ui::scene {
class Scene3d;
}

namespace sulcus::ui::widgets {

class SharedCamera;

/// The layers in 3D: slices at the crosshair, glyphs, surfaces. Cameras of all View3d on one ViewState are
/// linked. A click on a surface moves the crosshair there.
class View3d : public SceneView {
  Q_OBJECT
 public:
  View3d(model::LayerStack& layers, model::ViewState& view, QWidget* parent = nullptr);
  ~View3d() override;

  /// Regions that select lines can be dragged in the plane perpendicular to the line of sight; the models
  /// must outlive this.
  void setRegions(std::vector<model::MovableRegions*> holders) { regions_ = std::move(holders); }
  /// Views from the patient's 'A', 'P', 'L', 'R', 'S' or 'I' side.
  void lookFrom(char side);
  /// Obliquely from the front, with everything visible: the first view of a new image.
  void lookFromFront();
  void resetCamera();

 private:
  /// The model that holds a region, and its number there.
  using HeldRegion = std::pair<model::MovableRegions*, int>;

  void updateScene() override;
  bool handle(QEvent& event) override;
  void look();
  /// Updates the scene with the layers as they are now, not as captured for a drawing.
  void updateNow();
  /// Makes the pose of the scene that of all linked views.
  void sharePose();
  /// The position at this one of the canvas that is as far away as `like`.
  Vec3<double> placeAt(QPointF position, const Vec3<double>& like) const;
  std::optional<HeldRegion> regionAt(QPointF position) const;
  /// Grabs, moves and releases a region; false if the event does not concern regions.
  bool dragRegion(const QMouseEvent& mouse);
  bool resizeRegion(const QWheelEvent& wheel);
  /// Follows the right button; returns whether it is released where it was pressed, without a drag.
  bool takeRightClick(const QMouseEvent& mouse);
  /// Follows the left button; returns where it was pressed if it is released now without a drag, which
  /// rotates the camera.
  std::optional<QPointF> takeLeftClick(const QMouseEvent& mouse);
  /// Moves the crosshair to the surface at a position of the canvas.
  void pick(QPointF position);

  scene::Scene3d& scene_;
  QPointer<SharedCamera> camera_;
  std::optional<QPointF> pressed_;  ///< with the left button, not yet moved
  QPointF rightPressed_;
  std::vector<model::MovableRegions*> regions_;  ///< the models that hold regions
  std::optional<HeldRegion> inHand_;             ///< the region being dragged
  Vec3<double> grabbed_;                         ///< from the pointer to its center
};

}  // namespace sulcus::ui::widgets
