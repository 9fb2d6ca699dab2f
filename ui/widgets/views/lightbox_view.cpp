#include "ui/model/views/mouse_bindings.h"
#include "ui/scene/slices/lightbox_scene.h"
#include "ui/widgets/tools/slice_gestures.h"
#include "ui/widgets/views/scene_canvas.h"
#include "ui/widgets/views/view_widgets.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

namespace sulcus::ui::widgets {

struct LightboxView::Impl : SceneCanvas<scene::LightboxScene> {
  model::LayerStack& layers;
  model::ViewState& view;
  model::LightboxLook look{};
  int shift = 0;  ///< offset in slices, by the wheel
  const model::ImageOverlay* pair = nullptr;
  SliceGestures gestures{layers, view, [this] { return scene->camera(); }};
  Qt::MouseButton dragging = Qt::NoButton;
  model::DragAction action = model::DragAction::none;  ///< of that button
  QPointF last{};
  // The range of visible slices of a layer is computed once.
  std::weak_ptr<const Layer> rangedLayer{};
  model::Plane rangedPlane{};
  model::SliceRange range{};

  Impl(LightboxView& owner, model::LayerStack& stack, model::ViewState& state)
      : SceneCanvas(owner, stack, state, [this] { return draw(); }), layers(stack), view(state) {}

  double ratio() const { return canvas->devicePixelRatioF(); }

  /// The layer that determines the slices: the lowest visible layer with a grid.
  const model::LayerState* base() const {
    for (const model::LayerState& state : layers.layers())
      if (state.display.visible && gridOf(*state.layer)) return &state;
    return nullptr;
  }

  std::vector<double> places() {
    const model::LayerState* state = base();
    if (!state) return {};
    if (state->layer != rangedLayer.lock() || look.plane != rangedPlane) {
      rangedLayer = state->layer;
      rangedPlane = look.plane;
      range = model::slicesWithContent(*state->layer, look.plane);
    }
    return model::lightboxPlaces(*state->layer, look.plane, range, look.columns * look.rows, shift);
  }

  bool draw() {
    handLayers();
    const int normal = model::axisAcross(look.plane);
    const std::vector<double> shown = places();
    const model::LightboxLook grid =
        model::fitted(look, int(shown.size()), canvas->width(), canvas->height());
    scene->look(
        {.normal = normal,
         .radiological = view.radiological(),
         .crosshair = view.crosshair(),
         .center = view.center(),
         .extent = view.extent(),
         .crosshairVisible = view.crosshairVisible(),
         .lettersVisible = view.lettersVisible(),
         .title = {},
         .caption = sceneLayers->caption().toStdString(),
         .scaleBar = view.scaleBarVisible(),
         .edge = pair && pair->mode() == model::ImageOverlay::Mode::wipe ? std::optional(pair->share())
                                                                         : std::nullopt,
         .still = canvas->isStill()},
        shown, grid.columns, grid.rows);
    scene->render();
    return false;
  }

  std::optional<Vec3<double>> worldAt(QPointF p) const {
    return scene->worldAt(ratio() * p.x(), ratio() * (canvas->height() - p.y()));
  }

  void drag(QPointF position) {
    const QPointF by = position - last;
    last = position;
    switch (action) {
      case model::DragAction::crosshair:
        if (const auto world = worldAt(position)) view.setCrosshair(*world);
        break;
      case model::DragAction::pan:
        gestures.pan(ratio() * by);
        break;
      case model::DragAction::zoom:
        gestures.zoom(std::exp(by.y() * 0.005), {});
        break;
      case model::DragAction::windowLevel:
        gestures.changeWindow(by);
        break;
      case model::DragAction::turn:  // its slices stay along the axes of the scanner
      case model::DragAction::none:
        break;
    }
  }

  void moveBy(int slices) {
    if (slices == 0) return;
    const int before = shift;
    shift += slices;
    if (places().empty()) shift = before;  // nothing would be left
    canvas->drawAtOnce();
  }

  void wheel(const QWheelEvent& event) {
    if (event.modifiers() & Qt::ControlModifier)
      gestures.zoom(std::pow(0.9, event.angleDelta().y() / 120.0), {});
    else
      moveBy(gestures.notches(event.angleDelta().y()));
  }

  bool key(int key) {
    return gestures.key(key, [this](int slices) { moveBy(slices); });
  }
};

LightboxView::LightboxView(model::LayerStack& layers, model::ViewState& view, QWidget* parent)
    : SceneView(parent), impl_(new Impl(*this, layers, view)) {
  impl_->canvas->installEventFilter(this);
  impl_->canvas->setCursor(Qt::CrossCursor);
  connect(&view, &model::ViewState::framingChanged, impl_->canvas, &Canvas::scheduleRender);
}

LightboxView::~LightboxView() = default;

const model::LightboxLook& LightboxView::look() const { return impl_->look; }

void LightboxView::setLook(const model::LightboxLook& look) {
  if (look.plane != impl_->look.plane) impl_->shift = 0;
  impl_->look = look;
  impl_->canvas->scheduleRender();
}

void LightboxView::reset() {
  impl_->shift = 0;
  impl_->canvas->scheduleRender();
}

std::vector<double> LightboxView::places() const { return impl_->places(); }

void LightboxView::setGlyphStyle(const scene::GlyphStyle& style) { impl_->setGlyphStyle(style); }

void LightboxView::setFieldStyle(const scene::FieldStyle& style) { impl_->setFieldStyle(style); }

void LightboxView::setImageOverlay(model::ImageOverlay* pair) {
  impl_->pair = pair;
  impl_->sceneLayers->setPair(pair);
}

QImage LightboxView::screenshot(int scale) { return impl_->canvas->screenshot(scale); }

bool LightboxView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != impl_->canvas) return SceneView::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::ToolTip:
      return impl_->showTip(static_cast<const QHelpEvent&>(*event));
    case QEvent::MouseButtonPress: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      impl_->canvas->setFocus(Qt::MouseFocusReason);
      impl_->dragging = mouse.button();
      impl_->action = model::dragAction(mouse.button(), mouse.modifiers(), impl_->view.mouseScheme());
      impl_->last = mouse.position();
      if (mouse.button() == Qt::LeftButton) impl_->drag(mouse.position());
      return true;
    }
    case QEvent::MouseMove: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      if (impl_->dragging != Qt::NoButton && (mouse.buttons() & impl_->dragging))
        impl_->drag(mouse.position());
      if (const auto world = impl_->worldAt(mouse.position())) emit hovered(*world);
      return true;
    }
    case QEvent::Leave:
      emit left();
      return false;
    case QEvent::MouseButtonRelease:
      impl_->dragging = Qt::NoButton;
      return true;
    case QEvent::MouseButtonDblClick:
      impl_->dragging = Qt::NoButton;
      if (static_cast<const QMouseEvent&>(*event).button() == Qt::LeftButton) emit doubleClicked();
      return true;
    case QEvent::Wheel:
      impl_->wheel(static_cast<const QWheelEvent&>(*event));
      return true;
    case QEvent::KeyPress:
      if (impl_->key(static_cast<const QKeyEvent&>(*event).key())) return true;
      event->ignore();  // for the window, not for VTK
      return true;
    default:
      return SceneView::eventFilter(watched, event);
  }
}

}  // namespace sulcus::ui::widgets
