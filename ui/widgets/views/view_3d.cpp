#include "ui/model/layers/movable_regions.h"
#include "ui/scene/volume3d/scene_3d.h"
#include "ui/widgets/tools/region_tool.h"
#include "ui/widgets/views/scene_canvas.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_widgets.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPointer>
#include <QWheelEvent>

#include <QVTKInteractor.h>
#include <vtkCommand.h>
#include <vtkInteractorObserver.h>

namespace sulcus::ui::widgets {

struct View3d::Impl : SceneCanvas<scene::Scene3d> {
  model::ViewState& view;
  QPointer<SharedCamera> camera;
  QString title{};
  std::optional<QPointF> pressed{};  ///< with the left button, not yet moved
  QPointF rightPressed{};
  std::vector<model::MovableRegions*> regions{};                   ///< the models that hold regions
  std::optional<std::pair<model::MovableRegions*, int>> inHand{};  ///< the region being dragged
  Vec3<double> grabbed{};                                          ///< from the pointer to its center

  Impl(View3d& owner, model::LayerStack& layers, model::ViewState& state)
      : SceneCanvas(owner, layers, state, [this] { return draw(); }),
        view(state),
        camera(SharedCamera::of(state)) {}

  /// Updates the scene with the layers as they are now, not as captured for a drawing.
  void updateNow() {
    sceneLayers->take();
    updateScene();
  }

  void updateScene() {
    scene->setCrosshair(view.crosshair());
    scene->setTurn(view.turn());
    scene->setCrosshairVisible(view.crosshairVisible());
    scene->setOnGpu(!canvas->inSoftware());
    scene->setStill(canvas->isStill());
    scene->setRest(canvas->isAtRest());
    handLayers();
    scene->setTitle((title.isEmpty() ? sceneLayers->captionIn3d() : title).toStdString());
  }

  bool draw() {
    updateScene();
    if (!camera->isSet() && !scene->empty()) {
      scene->lookFromFront();
      camera->setPose(scene->pose());
      camera->setFramed();
    }
    if (camera->isSet()) scene->setPose(camera->pose());
    const bool again = scene->render();
    if (scene->leavesOut()) canvas->drawWholeAtRest();
    return again;
  }

  Vec3<double> placeAt(QPointF at, const Vec3<double>& like) const {
    const double ratio = canvas->devicePixelRatioF();
    return scene->placeAt(at.x() * ratio, (canvas->height() - at.y()) * ratio, like);
  }

  /// The region at a position of the canvas: its model, and its number there.
  std::optional<std::pair<model::MovableRegions*, int>> regionAt(QPointF at) const {
    const double ratio = canvas->devicePixelRatioF();
    const auto picked = scene->regionAt(at.x() * ratio, (canvas->height() - at.y()) * ratio);
    if (!picked) return {};
    for (model::MovableRegions* holder : regions)
      if (holder->regionsLayer() == picked->layer && picked->region < int(holder->regions().size()))
        return std::pair(holder, picked->region);
    return {};
  }

  /// Grabs, moves and releases a region; false if the event does not concern regions.
  bool dragRegion(const QMouseEvent& mouse) {
    if (mouse.type() == QEvent::MouseButtonPress) {
      if (mouse.button() != Qt::LeftButton || mouse.modifiers()) return false;
      inHand = regionAt(mouse.position());
      if (!inHand) return false;
      const Vec3<double> center = inHand->first->regions()[std::size_t(inHand->second)].center;
      grabbed = center - placeAt(mouse.position(), center);
      inHand->first->takeRegion(inHand->second);
      return true;
    }
    if (!inHand) return false;
    const bool done = mouse.type() == QEvent::MouseButtonRelease;
    const auto [holder, number] = *inHand;
    const bool isThere = number < int(holder->regions().size());
    if (done || !isThere) inHand.reset();
    if (!isThere) return true;
    TractRegion moved = holder->regions()[std::size_t(number)];
    moved.center = placeAt(mouse.position(), moved.center) + grabbed;
    holder->changeRegion(number, moved, done);
    return true;
  }

  bool resizeRegion(const QWheelEvent& wheel) {
    if (!(wheel.modifiers() & Qt::ShiftModifier)) return false;
    const auto found = regionAt(wheel.position());
    const int turned = wheel.angleDelta().y() ? wheel.angleDelta().y() : wheel.angleDelta().x();
    if (!found) return false;
    const auto [holder, number] = *found;
    holder->changeRegion(number, resized(holder->regions()[std::size_t(number)], turned), true);
    return true;
  }

  static bool isNear(QPointF a, QPointF b) {
    return (a - b).manhattanLength() < QApplication::startDragDistance();
  }

  /// Follows the right button; returns whether it is released where it was pressed, without a drag.
  bool takeRightClick(const QMouseEvent& mouse) {
    if (mouse.button() != Qt::RightButton) return false;
    if (mouse.type() == QEvent::MouseButtonPress) rightPressed = mouse.position();
    return mouse.type() == QEvent::MouseButtonRelease && isNear(mouse.position(), rightPressed);
  }

  /// Follows the left button; returns where it was pressed if it is released now without a drag, which
  /// rotates the camera.
  std::optional<QPointF> takeLeftClick(const QMouseEvent& mouse) {
    if (mouse.type() == QEvent::MouseButtonPress) {
      pressed.reset();
      if (mouse.button() == Qt::LeftButton) pressed = mouse.position();
      return {};
    }
    if (pressed && !isNear(mouse.position(), *pressed)) pressed.reset();
    return mouse.type() == QEvent::MouseButtonRelease ? std::exchange(pressed, std::nullopt) : std::nullopt;
  }

  /// Moves the crosshair to the surface at a position of the canvas.
  void pick(QPointF at) {
    const double ratio = canvas->devicePixelRatioF();
    if (const auto picked = scene->pointAt(at.x() * ratio, (canvas->height() - at.y()) * ratio))
      view.lookAt(picked->world);
  }

  void lookFrom(char side) {
    updateNow();
    scene->lookFrom(side);
    camera->setPose(scene->pose());
  }
};

View3d::View3d(model::LayerStack& layers, model::ViewState& view, QWidget* parent)
    : SceneView(parent), impl_(new Impl(*this, layers, view)) {
  impl_->canvas->installEventFilter(this);
  connect(impl_->camera, &SharedCamera::changed, impl_->canvas, &Canvas::scheduleRender);

  // VTK's trackball rotated, moved or zoomed the camera of this view.
  struct Turned : vtkCommand {
    Impl* impl = nullptr;
    static Turned* New() { return new Turned; }
    void Execute(vtkObject*, unsigned long, void*) override { impl->camera->setPose(impl->scene->pose()); }
  };
  vtkSmartPointer<Turned> turned = vtkSmartPointer<Turned>::New();
  turned->impl = impl_.get();
  vtkInteractorObserver* trackball = impl_->canvas->interactor()->GetInteractorStyle();
  for (const auto event : {vtkCommand::InteractionEvent, vtkCommand::EndInteractionEvent})
    trackball->AddObserver(event, turned);
}

View3d::~View3d() { impl_->canvas->interactor()->SetInteractorStyle(nullptr); }

void View3d::setShownLayers(std::optional<std::vector<model::LayerId>> ids) {
  impl_->sceneLayers->setShown(std::move(ids));
}

void View3d::setTitle(const QString& title) {
  impl_->title = title;
  impl_->canvas->scheduleRender();
}

void View3d::setGlyphStyle(const scene::GlyphStyle& style) { impl_->setGlyphStyle(style); }

void View3d::setFieldStyle(const scene::FieldStyle& style) { impl_->setFieldStyle(style); }

void View3d::setImageOverlay(model::ImageOverlay* pair) { impl_->sceneLayers->setPair(pair); }

void View3d::setSceneStyle(const scene::SceneStyle& style) {
  impl_->scene->setStyle(style);
  impl_->canvas->scheduleRender();
}

void View3d::setPlanesBesideSurfaces(bool on) {
  impl_->scene->setPlanesBesideSurfaces(on);
  impl_->canvas->scheduleRender();
}

void View3d::setRegions(std::vector<model::MovableRegions*> holders) { impl_->regions = std::move(holders); }

void View3d::lookFrom(char side) { impl_->lookFrom(side); }

void View3d::lookFromFront() {
  impl_->updateNow();
  if (impl_->scene->empty()) return impl_->camera->forget();
  impl_->scene->lookFromFront();
  impl_->camera->setPose(impl_->scene->pose());
}

void View3d::resetCamera() {
  impl_->updateNow();
  impl_->scene->resetCamera();
  impl_->camera->setPose(impl_->scene->pose());
}

void View3d::setBars(bool on) {
  impl_->scene->setBars(on);
  impl_->canvas->scheduleRender();
}

QImage View3d::screenshot(int scale) { return impl_->canvas->screenshot(scale); }

void View3d::showAllGlyphs() {
  impl_->scene->showAllGlyphs();
  impl_->canvas->scheduleRender();
}

bool View3d::eventFilter(QObject* watched, QEvent* event) {
  if (watched != impl_->canvas) return SceneView::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::ToolTip:
      return impl_->showTip(static_cast<const QHelpEvent&>(*event));
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      if (impl_->dragRegion(mouse)) return true;
      if (impl_->takeRightClick(mouse))
        emit menuRequested(mouse.globalPosition().toPoint(), impl_->view.crosshair());
      if (const auto clicked = impl_->takeLeftClick(mouse)) impl_->pick(*clicked);
      return SceneView::eventFilter(watched, event);
    }
    case QEvent::Wheel:
      return impl_->resizeRegion(static_cast<const QWheelEvent&>(*event)) ||
             SceneView::eventFilter(watched, event);
    case QEvent::MouseButtonDblClick:
      emit doubleClicked();
      return true;
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
      event->ignore();  // for the window: VTK's own keys (w, s, q …) would be unexpected
      return true;
    default:
      return SceneView::eventFilter(watched, event);
  }
}

}  // namespace sulcus::ui::widgets
