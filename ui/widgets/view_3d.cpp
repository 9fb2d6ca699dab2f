#include "ui/scene/scene_3d.h"
#include "ui/widgets/canvas.h"
#include "ui/widgets/scene_layers.h"
#include "ui/widgets/shared_camera.h"
#include "ui/widgets/view_widgets.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPointer>
#include <QVBoxLayout>

#include <QVTKInteractor.h>
#include <vtkCommand.h>
#include <vtkRenderWindow.h>

namespace sulcus::ui {

struct View3d::Impl {
  LayerStack& layers;
  ViewState& view;
  Canvas* canvas = nullptr;
  std::unique_ptr<Scene3d> scene{};
  QPointer<SharedCamera> camera{};
  QMetaObject::Connection cameraChanged{};
  std::optional<std::vector<LayerId>> shown{};
  bool layersStale = true;

  void updateLayers() {
    if (layersStale) scene->setLayers(sceneLayers(layers, shown));
    layersStale = false;
  }

  bool draw() {
    scene->setCrosshair(view.crosshair());
    updateLayers();
    if (!camera->isSet() && !scene->empty()) {
      scene->lookFromFront();
      camera->setPose(scene->pose());
    }
    if (camera->isSet()) scene->setPose(camera->pose());
    return scene->render();
  }

  void lookFrom(char side) {
    scene->setCrosshair(view.crosshair());
    updateLayers();
    scene->lookFrom(side);
    camera->setPose(scene->pose());
  }

  void follow(SharedCamera* shared) {
    QObject::disconnect(cameraChanged);
    camera = shared;
    cameraChanged = QObject::connect(shared, &SharedCamera::changed, canvas, &Canvas::drawSoon);
    canvas->drawSoon();
  }
};

View3d::View3d(LayerStack& layers, ViewState& view, QWidget* parent)
    : QWidget(parent), impl_(new Impl{layers, view}) {
  impl_->canvas = new Canvas;
  impl_->canvas->installEventFilter(this);
  impl_->scene = std::make_unique<Scene3d>(impl_->canvas->renderWindow());
  impl_->canvas->setDraw([this] { return impl_->draw(); });
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->addWidget(impl_->canvas);
  setFocusPolicy(Qt::StrongFocus);
  setFocusProxy(impl_->canvas);
  setMinimumSize(80, 80);
  impl_->follow(SharedCamera::of(view));

  // VTK's trackball turned, moved or zoomed the camera of this view.
  struct Turned : vtkCommand {
    Impl* impl = nullptr;
    static Turned* New() { return new Turned; }
    void Execute(vtkObject*, unsigned long, void*) override { impl->camera->setPose(impl->scene->pose()); }
  };
  vtkSmartPointer<Turned> turned = vtkSmartPointer<Turned>::New();
  turned->impl = impl_.get();
  impl_->canvas->interactor()->AddObserver(vtkCommand::RenderEvent, turned);

  const auto redraw = [this] { impl_->canvas->drawSoon(); };
  const auto layersChanged = [this] {
    impl_->layersStale = true;
    impl_->canvas->drawSoon();
  };
  connect(&layers, &LayerStack::added, this, layersChanged);
  connect(&layers, &LayerStack::removed, this, layersChanged);
  connect(&layers, &LayerStack::reordered, this, layersChanged);
  connect(&layers, &LayerStack::displayChanged, this, layersChanged);
  connect(&layers, &LayerStack::contentChanged, this, layersChanged);
  connect(&view, &ViewState::crosshairChanged, this, redraw);
}

View3d::~View3d() {
  impl_->canvas->setDraw({});
  impl_->canvas->interactor()->RemoveObservers(vtkCommand::RenderEvent);
  impl_->canvas->makeCurrent();
  impl_->scene.reset();
  impl_->canvas->doneCurrent();
}

void View3d::setShownLayers(std::optional<std::vector<LayerId>> ids) {
  impl_->shown = std::move(ids);
  impl_->layersStale = true;
  impl_->canvas->drawSoon();
}

void View3d::setTitle(const QString& title) {
  impl_->scene->setTitle(title.toStdString());
  impl_->canvas->drawSoon();
}

void View3d::setGlyphStyle(const GlyphStyle& style) {
  impl_->scene->setGlyphStyle(style);
  impl_->canvas->drawSoon();
}

void View3d::lookFrom(char side) { impl_->lookFrom(side); }

void View3d::lookFromFront() {
  impl_->scene->setCrosshair(impl_->view.crosshair());
  impl_->updateLayers();
  impl_->scene->lookFromFront();
  impl_->camera->setPose(impl_->scene->pose());
}

void View3d::resetCamera() {
  impl_->scene->setCrosshair(impl_->view.crosshair());
  impl_->updateLayers();
  impl_->scene->resetCamera();
  impl_->camera->setPose(impl_->scene->pose());
}

QImage View3d::screenshot(int scale) { return impl_->canvas->screenshot(scale); }

QString View3d::glyphNote() const { return QString::fromStdString(impl_->scene->glyphNote()); }

void View3d::linkCamera(View3d* other) { impl_->follow(other->impl_->camera); }

bool View3d::eventFilter(QObject* watched, QEvent* event) {
  if (watched != impl_->canvas) return QWidget::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::MouseButtonDblClick:
      emit doubleClicked();
      return true;
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
      event->ignore();  // for the window: VTK's own keys (w, s, q …) would surprise
      return true;
    default:
      return QWidget::eventFilter(watched, event);
  }
}

}  // namespace sulcus::ui
