#include "ui/model/mouse_habits.h"
#include "ui/model/readout.h"
#include "ui/scene/slice_scene.h"
#include "ui/widgets/canvas.h"
#include "ui/widgets/scene_layers.h"
#include "ui/widgets/view_widgets.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include <QVTKInteractor.h>
#include <vtkRenderWindow.h>

namespace sulcus::ui::widgets {
namespace {

int normalOf(model::Plane plane) {
  return plane == model::Plane::axial ? 2 : plane == model::Plane::coronal ? 1 : 0;
}

}  // namespace

struct SliceView::Impl {
  model::LayerStack& layers;
  model::ViewState& view;
  model::Plane plane;
  Canvas* canvas = nullptr;
  std::unique_ptr<scene::SliceScene> scene{};
  SceneLayers* sceneLayers = nullptr;
  QString title{};
  Qt::MouseButton dragging = Qt::NoButton;
  model::DragAction action = model::DragAction::none;  ///< of that button
  QPointF last{};
  double wheelDegrees = 0;  ///< turned since the last slice, in eighths

  scene::SliceCamera camera() const {
    return {scene::sliceAxes(normalOf(plane), view.radiological()),
            view.centre(),
            view.crosshair(),
            view.extent(),
            canvas->width(),
            canvas->height()};
  }
  Vec3<double> worldAt(QPointF p) const { return camera().worldAt(p.x(), canvas->height() - p.y()); }

  bool draw() {
    if (auto changed = sceneLayers->takeChanged()) scene->setLayers(std::move(*changed));
    scene->look({normalOf(plane), view.radiological(), view.crosshair(), view.centre(), view.extent(),
                 view.crosshairVisible(), view.lettersVisible(), title.toStdString(),
                 sceneLayers->caption().toStdString()});
    return scene->render();
  }

  /// Moves the plane by whole slices of the current layer, to the patient's left-to-right, front or top.
  void step(int slices) {
    const model::LayerState* state = layers.find(layers.current());
    if (!state || !gridOf(*state->layer)) {
      const auto& all = layers.layers();
      const auto found = std::find_if(all.begin(), all.end(),
                                      [](const model::LayerState& s) { return gridOf(*s.layer) != nullptr; });
      state = found == all.end() ? nullptr : &*found;
    }
    Vec3<double> crosshair = view.crosshair();
    crosshair[normalOf(plane)] += slices * (state ? model::sliceStep(*state->layer, plane) : 1.0);
    view.setCrosshair(crosshair);
  }

  void changeVolume(int by) {
    const model::LayerState* state = layers.find(layers.current());
    const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
    if (volume) layers.setVolume(state->id, std::clamp(state->volume + by, 0, volume->series->count - 1));
  }

  /// Zooms so that the place under `p` stays where it is.
  void zoom(double factor, QPointF p) {
    const Vec3<double> fixed = worldAt(p);
    view.setExtent(std::clamp(view.extent() * factor, 1.0, 5000.0));
    const Vec3<double> shift = fixed - worldAt(p);
    view.setCentre(view.centre() + shift);
  }

  void pan(QPointF by) {
    const scene::SliceCamera look = camera();
    const double scale = look.millimetresPerPixel();
    view.setCentre(view.centre() + (-scale * by.x()) * look.axes.right + (scale * by.y()) * look.axes.up);
  }

  /// Changes the shown range: a drag to the right narrows or widens it, one upwards brightens; 200 pixels are
  /// one width of the range.
  void changeWindow(QPointF by) {
    const model::LayerState* state = layers.find(layers.current());
    if (!state || !state->display.range) return;
    Display display = state->display;
    const double width = display.range->high - display.range->low;
    const double middle = 0.5 * (display.range->low + display.range->high) + width * by.y() / 200;
    const double half = 0.5 * width * std::exp(by.x() / 200);
    display.range = Range{middle - half, middle + half};
    layers.setDisplay(state->id, display);
  }

  void drag(QPointF position) {
    const QPointF by = position - last;
    last = position;
    switch (action) {
      case model::DragAction::crosshair:
        view.setCrosshair(worldAt(position));
        break;
      case model::DragAction::pan:
        pan(by);
        break;
      case model::DragAction::zoom:
        zoom(std::exp(by.y() * 0.005), canvas->rect().center());
        break;
      case model::DragAction::windowLevel:
        changeWindow(by);
        break;
      case model::DragAction::none:
        break;
    }
  }

  void wheel(const QWheelEvent& event) {
    const double turned = event.angleDelta().y();
    if (event.modifiers() & Qt::ControlModifier) {
      zoom(std::pow(0.9, turned / 120), event.position());
      return;
    }
    wheelDegrees += turned;
    const int slices = int(wheelDegrees / 120);  // fine wheels send parts of a notch
    wheelDegrees -= 120 * slices;
    if (slices == 0) return;
    step(slices);
    canvas->drawAtOnce();  // each step of the wheel shows where it turns; the other views follow
  }

  bool key(int key) {
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
};

SliceView::SliceView(model::LayerStack& layers, model::ViewState& view, model::Plane plane, QWidget* parent)
    : QWidget(parent), impl_(new Impl{layers, view, plane}) {
  impl_->canvas = new Canvas(DrawTurns::of(view));
  impl_->sceneLayers = new SceneLayers(layers, view, impl_->canvas);
  impl_->canvas->installEventFilter(this);
  impl_->canvas->setCursor(Qt::CrossCursor);
  impl_->scene = std::make_unique<scene::SliceScene>(impl_->canvas->renderWindow());
  impl_->canvas->setDraw([this] { return impl_->draw(); });
  impl_->canvas->setTake([this] { impl_->sceneLayers->take(); });
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->addWidget(impl_->canvas);
  setFocusPolicy(Qt::StrongFocus);
  setFocusProxy(impl_->canvas);
  setMinimumSize(80, 80);

  connect(&view, &model::ViewState::framingChanged, impl_->canvas, &Canvas::drawSoon);
  connect(&view, &model::ViewState::decorationChanged, impl_->canvas, &Canvas::drawSoon);
}

SliceView::~SliceView() {
  // VTK's objects go while there is a context to free their textures in.
  impl_->canvas->setDraw({});
  impl_->canvas->makeCurrent();
  impl_->scene.reset();
  impl_->canvas->doneCurrent();
}

model::Plane SliceView::plane() const { return impl_->plane; }

void SliceView::setPlane(model::Plane plane) {
  impl_->plane = plane;
  impl_->canvas->drawSoon();
}

void SliceView::setShownLayers(std::optional<std::vector<model::LayerId>> ids) {
  impl_->sceneLayers->setShown(std::move(ids));
}

void SliceView::setTitle(const QString& title) {
  impl_->title = title;
  impl_->canvas->drawSoon();
}

void SliceView::setGlyphStyle(const scene::GlyphStyle& style) {
  impl_->scene->setGlyphStyle(style);
  impl_->canvas->drawSoon();
}

void SliceView::setFieldStyle(const scene::FieldStyle& style) {
  impl_->scene->setFieldStyle(style);
  impl_->canvas->drawSoon();
}

void SliceView::setImagePair(const model::ImagePair* pair) { impl_->sceneLayers->setPair(pair); }

QImage SliceView::screenshot(int scale) { return impl_->canvas->screenshot(scale); }

Vec3<double> SliceView::worldAt(QPointF widgetPosition) const { return impl_->worldAt(widgetPosition); }

QString SliceView::glyphNote() const { return QString::fromStdString(impl_->scene->glyphNote()); }

void SliceView::showAllGlyphs() {
  impl_->scene->showAllGlyphs();
  impl_->canvas->drawSoon();
}

bool SliceView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != impl_->canvas) return QWidget::eventFilter(watched, event);
  switch (event->type()) {
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
      emit hovered(impl_->worldAt(mouse.position()));
      return true;
    }
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
      return QWidget::eventFilter(watched, event);
  }
}

}  // namespace sulcus::ui::widgets
