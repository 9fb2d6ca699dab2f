#include "ui/widgets/views/view_3d.h"

#include "ui/model/layers/movable_regions.h"
#include "ui/scene/volume3d/scene_3d.h"
#include "ui/widgets/tools/region_tool.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/scene_layers.h"
#include "ui/widgets/views/shared_camera.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <QVTKInteractor.h>
#include <vtkCommand.h>
#include <vtkInteractorObserver.h>

namespace sulcus::ui::widgets {
namespace {

/// What VTK's trackball calls when it has rotated, moved or zoomed the camera.
struct CameraMoved : vtkCommand {
  std::function<void()> call;
  static CameraMoved* New() { return new CameraMoved; }
  void Execute(vtkObject*, unsigned long, void*) override { call(); }
};

bool isNear(QPointF a, QPointF b) { return (a - b).manhattanLength() < QApplication::startDragDistance(); }

}  // namespace

View3d::View3d(model::LayerStack& layers, model::ViewState& view, QWidget* parent)
    : SceneView(layers, view, parent),
      scene_(adopt(std::make_unique<scene::Scene3d>(canvas_->renderWindow()))),
      camera_(SharedCamera::of(view)) {
  connect(camera_, &SharedCamera::changed, canvas_, &Canvas::scheduleRender);
  const auto moved = vtkSmartPointer<CameraMoved>::New();
  moved->call = [this] { sharePose(); };
  vtkInteractorObserver* trackball = canvas_->interactor()->GetInteractorStyle();
  for (const auto event : {vtkCommand::InteractionEvent, vtkCommand::EndInteractionEvent})
    trackball->AddObserver(event, moved);
}

View3d::~View3d() { canvas_->interactor()->SetInteractorStyle(nullptr); }

void View3d::look() {
  scene_.look({.crosshair = view_.crosshair(),
               .turn = view_.turn(),
               .crosshairVisible = view_.crosshairVisible(),
               .title = (title_.isEmpty() ? sceneLayers_->captionIn3d() : title_).toStdString(),
               .bars = bars_,
               .onGpu = !canvas_->inSoftware(),
               .still = canvas_->isStill(),
               .rest = canvas_->isAtRest()});
}

void View3d::updateNow() {
  sceneLayers_->take();
  handLayers();
  look();
}

void View3d::updateScene() {
  look();
  if (!camera_->isSet() && !scene_.empty()) {
    scene_.lookFromFront();
    sharePose();
    camera_->setFramed();
  }
  if (camera_->isSet()) scene_.setPose(camera_->pose());
}

void View3d::sharePose() { camera_->setPose(scene_.pose()); }

void View3d::lookFrom(char side) {
  updateNow();
  scene_.lookFrom(side);
  sharePose();
}

void View3d::lookFromFront() {
  updateNow();
  if (scene_.empty()) return camera_->forget();
  scene_.lookFromFront();
  sharePose();
}

void View3d::resetCamera() {
  updateNow();
  scene_.resetCamera();
  sharePose();
}

Vec3<double> View3d::placeAt(QPointF position, const Vec3<double>& like) const {
  const QPointF pixel = canvas_->pixelAt(position);
  return scene_.placeAt(pixel.x(), pixel.y(), like);
}

std::optional<View3d::HeldRegion> View3d::regionAt(QPointF position) const {
  const QPointF pixel = canvas_->pixelAt(position);
  const auto picked = scene_.regionAt(pixel.x(), pixel.y());
  if (!picked) return {};
  for (model::MovableRegions* holder : regions_)
    if (holder->regionsLayer() == picked->layer && picked->region < int(holder->regions().size()))
      return HeldRegion(holder, picked->region);
  return {};
}

bool View3d::dragRegion(const QMouseEvent& mouse) {
  if (mouse.type() == QEvent::MouseButtonPress) {
    if (mouse.button() != Qt::LeftButton || mouse.modifiers()) return false;
    inHand_ = regionAt(mouse.position());
    if (!inHand_) return false;
    const Vec3<double> center = inHand_->first->regions()[std::size_t(inHand_->second)].center;
    grabbed_ = center - placeAt(mouse.position(), center);
    inHand_->first->takeRegion(inHand_->second);
    return true;
  }
  if (!inHand_) return false;
  const bool done = mouse.type() == QEvent::MouseButtonRelease;
  const auto [holder, number] = *inHand_;
  const bool isThere = number < int(holder->regions().size());
  if (done || !isThere) inHand_.reset();
  if (!isThere) return true;
  TractRegion moved = holder->regions()[std::size_t(number)];
  moved.center = placeAt(mouse.position(), moved.center) + grabbed_;
  holder->changeRegion(number, moved, done);
  return true;
}

bool View3d::resizeRegion(const QWheelEvent& wheel) {
  if (!(wheel.modifiers() & Qt::ShiftModifier)) return false;
  const auto found = regionAt(wheel.position());
  const int turned = wheel.angleDelta().y() ? wheel.angleDelta().y() : wheel.angleDelta().x();
  if (!found) return false;
  const auto [holder, number] = *found;
  holder->changeRegion(number, resized(holder->regions()[std::size_t(number)], turned), true);
  return true;
}

bool View3d::takeRightClick(const QMouseEvent& mouse) {
  if (mouse.button() != Qt::RightButton) return false;
  if (mouse.type() == QEvent::MouseButtonPress) rightPressed_ = mouse.position();
  return mouse.type() == QEvent::MouseButtonRelease && isNear(mouse.position(), rightPressed_);
}

std::optional<QPointF> View3d::takeLeftClick(const QMouseEvent& mouse) {
  if (mouse.type() == QEvent::MouseButtonPress) {
    pressed_.reset();
    if (mouse.button() == Qt::LeftButton) pressed_ = mouse.position();
    return {};
  }
  if (pressed_ && !isNear(mouse.position(), *pressed_)) pressed_.reset();
  return mouse.type() == QEvent::MouseButtonRelease ? std::exchange(pressed_, std::nullopt) : std::nullopt;
}

void View3d::pick(QPointF position) {
  const QPointF pixel = canvas_->pixelAt(position);
  if (const auto picked = scene_.pointAt(pixel.x(), pixel.y())) view_.lookAt(picked->world);
}

bool View3d::handle(QEvent& event) {
  switch (event.type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease: {
      const auto& mouse = static_cast<const QMouseEvent&>(event);
      if (dragRegion(mouse)) return true;
      if (takeRightClick(mouse)) emit menuRequested(mouse.globalPosition().toPoint(), view_.crosshair());
      if (const auto clicked = takeLeftClick(mouse)) pick(*clicked);
      return false;
    }
    case QEvent::Wheel:
      return resizeRegion(static_cast<const QWheelEvent&>(event));
    case QEvent::MouseButtonDblClick:
      emit doubleClicked();
      return true;
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
      event.ignore();  // for the window: VTK's own keys (w, s, q …) would be unexpected
      return true;
    default:
      return SceneView::handle(event);
  }
}

}  // namespace sulcus::ui::widgets
