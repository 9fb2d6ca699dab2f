#include "ui/widgets/tools/slice_gestures.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sulcus::ui::widgets {

void SliceGestures::zoom(double factor, QPointF from) {
  const auto offset = [&] {
    const scene::SliceCamera look = camera_();
    return look.millimetersPerPixel() * (from.x() * look.axes.right + from.y() * look.axes.up);
  };
  const Vec3<double> before = offset();
  view_.setExtent(std::clamp(view_.extent() * factor, 1.0, 5000.0));
  view_.setCenter(view_.center() + before - offset());
}

void SliceGestures::pan(QPointF by) {
  const scene::SliceCamera look = camera_();
  const double scale = look.millimetersPerPixel();
  view_.setCenter(view_.center() + (-scale * by.x()) * look.axes.right + (scale * by.y()) * look.axes.up);
}

void SliceGestures::turnAbout(const Vec3<double>& axis, double degrees) {
  view_.setTurn(turnedAbout(view_.turn(), axis, degrees * std::numbers::pi / 180));
}

void SliceGestures::turn(QPointF degrees) {
  // The planes rotate opposite to the head in front of them.
  const scene::ScreenAxes axes = camera_().axes;
  turnAbout(axes.up, -degrees.x());
  turnAbout(axes.right, -degrees.y());
}

void SliceGestures::roll(double degrees) { turnAbout(camera_().axes.towardViewer(), degrees); }

void SliceGestures::changeWindow(QPointF by) {
  const model::LayerState* state = layers_.find(layers_.current());
  if (!state || !state->display.range) return;
  Display display = state->display;
  const double width = display.range->high - display.range->low;
  const double middle = 0.5 * (display.range->low + display.range->high) + width * by.y() / 200;
  const double half = 0.5 * width * std::exp(by.x() / 200);
  display.range = Range{middle - half, middle + half};
  layers_.setDisplay(state->id, display);
}

void SliceGestures::changeVolume(int by) {
  const model::LayerState* state = layers_.find(layers_.current());
  const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
  if (volume) layers_.setVolume(state->id, std::clamp(state->volume + by, 0, volume->series->count - 1));
}

bool SliceGestures::key(int key, const std::function<void(int)>& step) {
  switch (key) {
    case Qt::Key_PageUp:
    case Qt::Key_Up:
      step(1);
      return true;
    case Qt::Key_PageDown:
    case Qt::Key_Down:
      step(-1);
      return true;
    case Qt::Key_Left:
      changeVolume(-1);
      return true;
    case Qt::Key_Right:
      changeVolume(1);
      return true;
    default:
      return false;
  }
}

int SliceGestures::notches(int turned) {
  turned_ += turned;
  const int whole = turned_ / 120;
  turned_ -= 120 * whole;
  return whole;
}

}  // namespace sulcus::ui::widgets
