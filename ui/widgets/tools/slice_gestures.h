#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"
#include "ui/scene/slices/slice_camera.h"

#include <QPointF>
#include <functional>

namespace sulcus::ui::widgets {

/// The gestures in views of slices, the same in all of them. They change only ViewState and LayerStack.
class SliceGestures {
 public:
  /// Both must outlive it. `camera`: the current camera of the view, in pixels of the widget.
  SliceGestures(model::LayerStack& layers, model::ViewState& view, std::function<scene::SliceCamera()> camera)
      : layers_(layers), view_(view), camera_(std::move(camera)) {}

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
  /// Changes the displayed range of the current layer: a drag to the right widens it, a drag upwards
  /// brightens; 200 pixels are one width of the range.
  void changeWindow(QPointF by);
  /// Shows another volume of the current series.
  void changeVolume(int by);
  /// The arrow and page keys: `step` moves by this many slices. Returns whether the key does something.
  bool key(int key, const std::function<void(int)>& step);
  /// Whole notches of a wheel; high-resolution wheels send fractions, which add up.
  int notches(int turned);

 private:
  void turnAbout(const Vec3<double>& axis, double degrees);

  model::LayerStack& layers_;
  model::ViewState& view_;
  std::function<scene::SliceCamera()> camera_;
  int turned_ = 0;  ///< since the last notch, in eighths of a degree
};

}  // namespace sulcus::ui::widgets
