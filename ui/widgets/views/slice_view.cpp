#include "ui/model/layers/readout.h"
#include "ui/model/views/mouse_bindings.h"
#include "ui/scene/slices/slice_scene.h"
#include "ui/widgets/tools/slice_gestures.h"
#include "ui/widgets/views/scene_canvas.h"
#include "ui/widgets/views/view_widgets.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {
namespace {

constexpr double kDegreesPerPixel = 0.45;  ///< of a drag that rotates the planes

}  // namespace

struct SliceView::Impl : SceneCanvas<scene::SliceScene> {
  model::LayerStack& layers;
  model::ViewState& view;
  model::ViewState own{};  ///< its position while it is not linked
  bool bars = true;
  bool linked = true;
  model::Plane plane;
  QString title{};
  Qt::MouseButton dragging = Qt::NoButton;
  bool wiping = false;                                 ///< the edge between two images is being dragged
  model::DragAction action = model::DragAction::none;  ///< of that button
  QPointF last{}, pressedAt{};
  Vec3<double> before{};  ///< the crosshair before the last press
  model::ImageOverlay* pair = nullptr;
  SliceGestures shared{layers, view, [this] { return camera(); }},
      alone{layers, own, [this] { return camera(); }};

  Impl(SliceView& owner, model::LayerStack& stack, model::ViewState& state, model::Plane shown)
      : SceneCanvas(owner, stack, state, [this] { return draw(); }),
        layers(stack),
        view(state),
        plane(shown) {}

  model::ViewState& place() { return linked ? view : own; }
  const model::ViewState& place() const { return linked ? view : own; }
  SliceGestures& gestures() { return linked ? shared : alone; }

  scene::SliceCamera camera() const {
    return {scene::sliceAxes(axisAcross(plane), view.radiological(), place().turn()),
            place().center(),
            place().crosshair(),
            place().extent(),
            canvas->width(),
            canvas->height()};
  }
  Vec3<double> worldAt(QPointF p) const { return camera().worldAt(p.x(), canvas->height() - p.y()); }

  bool wipes() const {
    return pair && pair->mode() == model::ImageOverlay::Mode::wipe && !sceneLayers->isChosen();
  }
  bool isOnEdge(QPointF p) const {
    constexpr double kReach = 7;  // pixels
    return wipes() && std::abs(p.x() - pair->share() * canvas->width()) < kReach;
  }

  /// The caption of the overlay, and whether the view is unlinked.
  QString caption() const {
    QStringList parts{sceneLayers->caption()};
    if (!linked) parts << SliceView::tr("not linked");
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
  }

  bool draw() {
    handLayers();
    scene->look({.normal = axisAcross(plane),
                 .turn = place().turn(),
                 .radiological = view.radiological(),
                 .crosshair = place().crosshair(),
                 .center = place().center(),
                 .extent = place().extent(),
                 .crosshairVisible = view.crosshairVisible(),
                 .lettersVisible = view.lettersVisible(),
                 .title = title.toStdString(),
                 .caption = caption().toStdString(),
                 .scaleBar = view.scaleBarVisible(),
                 .edge = wipes() ? std::optional(pair->share()) : std::nullopt,
                 .bars = bars,
                 .still = canvas->isStill(),
                 .rest = canvas->isAtRest()});
    const bool again = scene->render();
    if (scene->leavesOut()) canvas->drawWholeAtRest();
    return again;
  }

  /// Moves the plane by whole slices of the current layer, towards the patient's right, front or top.
  void step(int slices) {
    const model::LayerState* state = layers.find(layers.current());
    if (!state || !gridOf(*state->layer)) {
      const auto& all = layers.layers();
      const auto found = std::find_if(all.begin(), all.end(),
                                      [](const model::LayerState& s) { return gridOf(*s.layer) != nullptr; });
      state = found == all.end() ? nullptr : &*found;
    }
    const Vec3<double>& normal = place().normalOf(plane);
    const double distance = slices * (state ? model::sliceStep(*state->layer, normal) : 1.0);
    place().setCrosshair(place().crosshair() + distance * normal);
  }

  void zoomAt(double factor, QPointF p) {
    gestures().zoom(factor, {p.x() - 0.5 * canvas->width(), 0.5 * canvas->height() - p.y()});
  }

  void drag(QPointF position) {
    const QPointF by = position - last;
    last = position;
    if (wiping) return pair->setShare(position.x() / canvas->width());
    switch (action) {
      case model::DragAction::crosshair:
        place().setCrosshair(model::clampedToVoxels(layers, worldAt(position)));
        break;
      case model::DragAction::pan:
        gestures().pan(by);
        break;
      case model::DragAction::zoom:
        gestures().zoom(std::exp(by.y() * 0.005), {});
        break;
      case model::DragAction::windowLevel:
        gestures().changeWindow(by);
        break;
      case model::DragAction::turn:
        gestures().turn(kDegreesPerPixel * by);
        break;
      case model::DragAction::none:
        break;
    }
  }

  void wheel(const QWheelEvent& event) {
    const double turned = event.angleDelta().y();
    if (event.modifiers() & Qt::ControlModifier) {
      zoomAt(std::pow(0.9, turned / 120), event.position());
      return;
    }
    const int slices = gestures().notches(event.angleDelta().y());
    if (slices == 0) return;
    step(slices);
    canvas->drawAtOnce();  // each wheel step is shown in this view at once; the other views follow
  }

  /// Shift and an arrow key rotate the planes like the mouse.
  bool turnByKey(int key) {
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
      gestures().roll(kDegrees * found->roll);
    else
      gestures().turn(kDegrees * found->turn);
    return true;
  }

  bool key(const QKeyEvent& event) {
    if (event.modifiers() & Qt::ShiftModifier && turnByKey(event.key())) return true;
    return gestures().key(event.key(), [this](int slices) { step(slices); });
  }
};

SliceView::SliceView(model::LayerStack& layers, model::ViewState& view, model::Plane plane, QWidget* parent)
    : SceneView(parent), impl_(new Impl(*this, layers, view, plane)) {
  impl_->canvas->installEventFilter(this);
  impl_->canvas->setCursor(Qt::CrossCursor);
  connect(&view, &model::ViewState::framingChanged, impl_->canvas, &Canvas::scheduleRender);
  for (auto moved :
       {&model::ViewState::crosshairChanged, &model::ViewState::turned, &model::ViewState::framingChanged})
    connect(&impl_->own, moved, impl_->canvas, &Canvas::scheduleRender);
}

SliceView::~SliceView() = default;

model::Plane SliceView::plane() const { return impl_->plane; }

const Vec3<double>& SliceView::normal() const { return place().normalOf(impl_->plane); }

model::ViewState& SliceView::place() const { return impl_->place(); }

bool SliceView::isLinked() const { return impl_->linked; }

void SliceView::setLinked(bool on) {
  if (on == impl_->linked) return;
  impl_->linked = on;
  model::ViewState& own = impl_->own;
  own.setTurn(impl_->view.turn());
  own.setCrosshair(impl_->view.crosshair());
  own.setCenter(impl_->view.center());
  own.setExtent(impl_->view.extent());
  impl_->canvas->scheduleRender();
}

void SliceView::setPlane(model::Plane plane) {
  impl_->plane = plane;
  impl_->canvas->scheduleRender();
}

void SliceView::setShownLayers(std::optional<std::vector<model::LayerId>> ids) {
  impl_->sceneLayers->setShown(std::move(ids));
}

void SliceView::setTitle(const QString& title) {
  impl_->title = title;
  impl_->canvas->scheduleRender();
}

void SliceView::setGlyphStyle(const scene::GlyphStyle& style) { impl_->setGlyphStyle(style); }

void SliceView::setFieldStyle(const scene::FieldStyle& style) { impl_->setFieldStyle(style); }

void SliceView::setImageOverlay(model::ImageOverlay* pair) {
  impl_->pair = pair;
  impl_->sceneLayers->setPair(pair);
}

void SliceView::setBars(bool on) {
  if (std::exchange(impl_->bars, on) != on) impl_->canvas->scheduleRender();
}

QImage SliceView::screenshot(int scale) { return impl_->canvas->screenshot(scale); }

Vec3<double> SliceView::worldAt(QPointF widgetPosition) const { return impl_->worldAt(widgetPosition); }

void SliceView::showAllGlyphs() {
  impl_->scene->showAllGlyphs();
  impl_->canvas->scheduleRender();
}

bool SliceView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != impl_->canvas) return SceneView::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::ToolTip:
      return impl_->showTip(static_cast<const QHelpEvent&>(*event));
    case QEvent::MouseButtonPress: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      impl_->canvas->setFocus(Qt::MouseFocusReason);
      impl_->dragging = mouse.button();
      impl_->action = model::dragAction(mouse.button(), mouse.modifiers(), impl_->view.mouseScheme());
      impl_->last = impl_->pressedAt = mouse.position();
      impl_->before = impl_->place().crosshair();
      impl_->wiping = mouse.button() == Qt::LeftButton && impl_->isOnEdge(mouse.position());
      if (mouse.button() == Qt::LeftButton) impl_->drag(mouse.position());
      return true;
    }
    case QEvent::MouseMove: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      if (impl_->dragging != Qt::NoButton && (mouse.buttons() & impl_->dragging))
        impl_->drag(mouse.position());
      impl_->canvas->setCursor(impl_->wiping || impl_->isOnEdge(mouse.position()) ? Qt::SplitHCursor
                                                                                  : Qt::CrossCursor);
      emit hovered(impl_->worldAt(mouse.position()));
      return true;
    }
    case QEvent::Leave:
      emit left();
      return false;
    case QEvent::MouseButtonRelease: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      const bool moved =
          (mouse.position() - impl_->pressedAt).manhattanLength() >= QApplication::startDragDistance();
      if (mouse.button() == Qt::RightButton && impl_->dragging == Qt::RightButton && !moved)
        emit menuRequested(mouse.globalPosition().toPoint(), impl_->worldAt(mouse.position()));
      impl_->dragging = Qt::NoButton;
      impl_->wiping = false;
      return true;
    }
    case QEvent::MouseButtonDblClick:
      impl_->dragging = Qt::NoButton;
      if (static_cast<const QMouseEvent&>(*event).button() != Qt::LeftButton) return true;
      impl_->place().setCrosshair(impl_->before);  // what the first click of the double click moved
      emit doubleClicked();
      return true;
    case QEvent::Wheel:
      impl_->wheel(static_cast<const QWheelEvent&>(*event));
      return true;
    case QEvent::KeyPress:
      if (impl_->key(static_cast<const QKeyEvent&>(*event))) return true;
      event->ignore();  // for the window, not for VTK
      return true;
    default:
      return SceneView::eventFilter(watched, event);
  }
}

}  // namespace sulcus::ui::widgets
