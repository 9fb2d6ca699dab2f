#pragma once

#include "ui/model/views/mouse_bindings.h"
#include "ui/widgets/views/scene_view.h"

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace sulcus::ui::scene {
class SliceScene;
struct SliceCamera;
struct SliceLook;
}  // namespace sulcus::ui::scene

namespace sulcus::ui::widgets {

/// A view of one or many slices, with their gestures. Mouse and keys as keysHtml() lists them
/// (ui/widgets/dialogs/dialogs.cpp); every gesture only changes ViewState, LayerStack or ImageOverlay.
class PlaneView : public SceneView {
  Q_OBJECT
 protected:
  /// What one slice that fills the view can do beyond those of a lightbox: it can be rotated, it zooms about
  /// the pointer, the edge between two images can be dragged, and a double click only enlarges it.
  enum class Slices { one, many };
  PlaneView(model::LayerStack& layers, model::ViewState& view, Slices slices, QWidget* parent);

  /// The position that the gestures change.
  virtual model::ViewState& place() const { return view_; }
  /// The current camera, in pixels of the widget.
  virtual scene::SliceCamera camera() const = 0;
  /// The scanner position at a position of the widget; none outside of the slices.
  virtual std::optional<Vec3<double>> worldUnder(QPointF position) const = 0;
  /// Moves on by whole slices, towards the patient's right, front or top.
  virtual void step(int slices) = 0;
  /// What the scene shows of a plane.
  scene::SliceLook lookAt(model::Plane plane) const;
  bool handle(QEvent& event) override;

 private:
  void onPress(const QMouseEvent& event);
  void onMove(const QMouseEvent& event);
  void onRelease(const QMouseEvent& event);
  void onDoubleClick(const QMouseEvent& event);
  void onWheel(const QWheelEvent& event);
  /// Returns whether the key does something.
  bool onKey(const QKeyEvent& event);
  /// Shift and an arrow key rotate the planes like the mouse.
  bool turnByKey(int key);
  void drag(QPointF position);
  /// Makes the view show `factor` times as much; the point at offset `from` from the center, in pixels to the
  /// right and upwards, stays fixed.
  void zoom(double factor, QPointF from);
  /// Moves the image by this many pixels to the right and downwards.
  void pan(QPointF by);
  /// Rotates the planes about the crosshair as if the head were rotated by this many degrees, its visible
  /// side moving to the right and downwards.
  void turn(QPointF degrees);
  /// Rotates them so that the image turns clockwise in its own plane.
  void roll(double degrees);
  void turnAbout(const Vec3<double>& axis, double degrees);
  /// Changes the displayed range of the current layer: a drag to the right widens it, a drag upwards
  /// brightens; 200 pixels are one width of the range.
  void changeWindow(QPointF by);
  /// Shows another volume of the current series.
  void changeVolume(int by);
  /// Whether two images are shown beside each other, with an edge between them.
  bool wipes() const;
  bool isOnEdge(QPointF position) const;

  const bool hasOneSlice_;
  Qt::MouseButton dragging_ = Qt::NoButton;
  bool wiping_ = false;                                 ///< the edge between two images is being dragged
  model::DragAction action_ = model::DragAction::none;  ///< of that button
  QPointF last_, pressedAt_;
  Vec3<double> before_;  ///< the crosshair before the last press
  int turned_ = 0;       ///< by the wheel since the last notch, in eighths of a degree
};

}  // namespace sulcus::ui::widgets
