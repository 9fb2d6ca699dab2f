#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"
#include "ui/scene/slices/slice_camera.h"

#include <QPointF>
#include <functional>

namespace sulcus::ui::widgets {

/// What a hand does in views of slices, the same in all of them. It only changes ViewState and LayerStack.
class SliceGestures {
 public:
  /// Both must outlive it. `camera`: how the view looks now, in pixels of the widget.
  SliceGestures(model::LayerStack& layers, model::ViewState& view, std::function<scene::SliceCamera()> camera)
      : layers_(layers), view_(view), camera_(std::move(camera)) {}

  /// Makes the view show `factor` times as much; the place `from` the middle, in pixels to the right and
  /// upwards, stays where it is.
  void zoom(double factor, QPointF from);
  /// Moves the image by so many pixels to the right and downwards.
  void pan(QPointF by);
  /// Turns the planes about the crosshair as if the head were turned by so many degrees, what one sees of it
  /// to the right and downwards.
  void turn(QPointF degrees);
  /// Turns them so that the image rolls clockwise in its own plane.
  void roll(double degrees);
  /// Changes the shown range of the current layer: a drag to the right widens it, one upwards brightens; 200
  /// pixels are one width of the range.
  void changeWindow(QPointF by);
  /// Shows another volume of the current series.
  void changeVolume(int by);
  /// Whole notches of a wheel; fine wheels send parts of them, which add up.
  int notches(int turned);

 private:
  void turnAbout(const Vec3<double>& axis, double degrees);

  model::LayerStack& layers_;
  model::ViewState& view_;
  std::function<scene::SliceCamera()> camera_;
  int turned_ = 0;  ///< since the last notch, in eighths of a degree
};

}  // namespace sulcus::ui::widgets
