#include "ui/widgets/views/plane_view.h"

#include "ui/model/layers/image_overlay.h"
#include "ui/model/layers/readout.h"
#include "ui/scene/slices/slice_scene.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/scene_layers.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sulcus::ui::widgets {
namespace {

constexpr double kDegreesPerPixel = 0.45;  ///< of a drag that rotates the planes

}  // namespace

PlaneView::PlaneView(model::LayerStack& layers, model::ViewState& view, Slices slices, QWidget* parent)
    : SceneView(layers, view, parent), hasOneSlice_(slices == Slices::one) {
  canvas_->setCursor(Qt::CrossCursor);
  connect(&view, &model::ViewState::framingChanged, canvas_, &Canvas::scheduleRender);
}

bool PlaneView::wipes() const {
  return pair_ && pair_->mode() == model::ImageOverlay::Mode::wipe && !sceneLayers_->isChosen();
}

bool PlaneView::isOnEdge(QPointF position) const {
  constexpr double kReach = 7;  // pixels
  return hasOneSlice_ && wipes() && std::abs(position.x() - pair_->share() * canvas_->width()) < kReach;
}

scene::SliceLook PlaneView::lookAt(model::Plane plane) const {
  const model::ViewState& at = place();
  const std::optional<double> edge = wipes() ? std::optional(pair_->share()) : std::nullopt;
  return {.normal = axisAcross(plane),
          .turn = hasOneSlice_ ? at.turn() : SliceTurn(),
          .radiological = view_.radiological(),
          .crosshair = at.crosshair(),
          .center = at.center(),
          .extent = at.extent(),
          .crosshairVisible = view_.crosshairVisible(),
          .lettersVisible = view_.lettersVisible(),
          .title = title_.toStdString(),
          .caption = sceneLayers_->caption().toStdString(),
          .scaleBar = view_.scaleBarVisible(),
          .edge = edge,
          .bars = bars_,
          .still = canvas_->isStill(),
          .rest = canvas_->isAtRest()};
}

bool PlaneView::handle(QEvent& event) {
  switch (event.type()) {
    case QEvent::MouseButtonPress:
      onPress(static_cast<const QMouseEvent&>(event));
      return true;
    case QEvent::MouseMove:
      onMove(static_cast<const QMouseEvent&>(event));
      return true;
    case QEvent::MouseButtonRelease:
      onRelease(static_cast<const QMouseEvent&>(event));
      return true;
    case QEvent::MouseButtonDblClick:
      onDoubleClick(static_cast<const QMouseEvent&>(event));
      return true;
    case QEvent::Wheel:
      onWheel(static_cast<const QWheelEvent&>(event));
      return true;
    case QEvent::KeyPress:
      if (!onKey(static_cast<const QKeyEvent&>(event))) event.ignore();  // for the window, not for VTK
      return true;
    default:
      return SceneView::handle(event);
  }
}

void PlaneView::onPress(const QMouseEvent& event) {
  canvas_->setFocus(Qt::MouseFocusReason);
  dragging_ = event.button();
  action_ = model::dragAction(event.button(), event.modifiers(), view_.mouseScheme());
  pressedAt_ = event.position();
  last_ = pressedAt_;
  before_ = place().crosshair();
  wiping_ = event.button() == Qt::LeftButton && isOnEdge(event.position());
  if (event.button() == Qt::LeftButton) drag(event.position());
}

void PlaneView::onMove(const QMouseEvent& event) {
  if (dragging_ != Qt::NoButton && (event.buttons() & dragging_)) drag(event.position());
  canvas_->setCursor(wiping_ || isOnEdge(event.position()) ? Qt::SplitHCursor : Qt::CrossCursor);
  if (const auto world = worldUnder(event.position())) emit hovered(*world);
}

void PlaneView::onRelease(const QMouseEvent& event) {
  const bool moved = (event.position() - pressedAt_).manhattanLength() >= QApplication::startDragDistance();
  if (event.button() == Qt::RightButton && dragging_ == Qt::RightButton && !moved)
    if (const auto world = worldUnder(event.position()))
      emit menuRequested(event.globalPosition().toPoint(), *world);
  dragging_ = Qt::NoButton;
  wiping_ = false;
}

void PlaneView::onDoubleClick(const QMouseEvent& event) {
  dragging_ = Qt::NoButton;
  if (event.button() != Qt::LeftButton) return;
  if (hasOneSlice_) place().setCrosshair(before_);  // what the first click of the double click moved
  emit doubleClicked();
}

void PlaneView::drag(QPointF position) {
  const QPointF by = position - last_;
  last_ = position;
  if (wiping_) return pair_->setShare(position.x() / canvas_->width());
  switch (action_) {
    case model::DragAction::crosshair:
      if (const auto world = worldUnder(position)) {
        const Vec3<double> inside = model::clampedToVoxels(layers_, *world),
                           normal = camera().axes.towardViewer();
        place().setCrosshair(inside - dot(inside - *world, normal) * normal);  // stays in the slice
      }
      break;
    case model::DragAction::pan:
      pan(by);
      break;
    case model::DragAction::zoom:
      zoom(std::exp(by.y() * 0.005), {});
      break;
    case model::DragAction::windowLevel:
      changeWindow(by);
      break;
    case model::DragAction::turn:
      if (hasOneSlice_) turn(kDegreesPerPixel * by);
      break;
    case model::DragAction::none:
      break;
  }
}

void PlaneView::onWheel(const QWheelEvent& event) {
  const int turned = event.angleDelta().y();
  if (event.modifiers() & Qt::ControlModifier) {
    const QPointF fromCenter(event.position().x() - 0.5 * canvas_->width(),
                             0.5 * canvas_->height() - event.position().y());
    return zoom(std::pow(0.9, turned / 120.0), hasOneSlice_ ? fromCenter : QPointF());
  }
  turned_ += turned;  // wheels of high resolution send fractions of a notch
  const int notches = turned_ / 120;
  turned_ -= 120 * notches;
  if (notches == 0) return;
  step(notches);
  canvas_->drawAtOnce();  // each wheel step is shown in this view at once; the other views follow
}

bool PlaneView::turnByKey(int key) {
  constexpr double kDegrees = 5;
  struct Turn {
    int key;
    QPointF turn;
    double roll;
  };
  static constexpr Turn kTurns[] = {{Qt::Key_Up, {0, -1}, 0},   {Qt::Key_Down, {0, 1}, 0},
                                    {Qt::Key_Left, {-1, 0}, 0}, {Qt::Key_Right, {1, 0}, 0},
                                    {Qt::Key_PageUp, {}, -1},   {Qt::Key_PageDown, {}, 1}};
  const auto found = std::ranges::find(kTurns, key, &Turn::key);
  if (found == std::end(kTurns)) return false;
  if (found->roll != 0)
    roll(kDegrees * found->roll);
  else
    turn(kDegrees * found->turn);
  return true;
}

bool PlaneView::onKey(const QKeyEvent& event) {
  if (hasOneSlice_ && event.modifiers() & Qt::ShiftModifier && turnByKey(event.key())) return true;
  switch (event.key()) {
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

void PlaneView::zoom(double factor, QPointF from) {
  const auto offset = [&] {
    const scene::SliceCamera look = camera();
    return look.millimetersPerPixel() * (from.x() * look.axes.right + from.y() * look.axes.up);
  };
  const Vec3<double> before = offset();
  place().setExtent(std::clamp(place().extent() * factor, 1.0, 5000.0));
  place().setCenter(place().center() + before - offset());
}

void PlaneView::pan(QPointF by) {
  const scene::SliceCamera look = camera();
  const double scale = look.millimetersPerPixel();
  place().setCenter(place().center() + (-scale * by.x()) * look.axes.right + (scale * by.y()) * look.axes.up);
}

void PlaneView::turnAbout(const Vec3<double>& axis, double degrees) {
  place().setTurn(turnedAbout(place().turn(), axis, degrees * std::numbers::pi / 180));
}

void PlaneView::turn(QPointF degrees) {
  // The planes rotate opposite to the head in front of them.
  const scene::ScreenAxes axes = camera().axes;
  turnAbout(axes.up, -degrees.x());
  turnAbout(axes.right, -degrees.y());
}

void PlaneView::roll(double degrees) { turnAbout(camera().axes.towardViewer(), degrees); }

void PlaneView::changeWindow(QPointF by) {
  const model::LayerState* state = layers_.find(layers_.current());
  if (!state || !state->display.range) return;
  Display display = state->display;
  const double width = display.range->high - display.range->low;
  const double middle = 0.5 * (display.range->low + display.range->high) + width * by.y() / 200;
  const double half = 0.5 * width * std::exp(by.x() / 200);
  display.range = Range{middle - half, middle + half};
  layers_.setDisplay(state->id, display);
}

void PlaneView::changeVolume(int by) {
  const model::LayerState* state = layers_.find(layers_.current());
  const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
  if (volume) layers_.setVolume(state->id, std::clamp(state->volume + by, 0, volume->series->count - 1));
}

}  // namespace sulcus::ui::widgets
