#pragma once

#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/scene_layers.h"
#include "ui/widgets/views/view_widgets.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <functional>
#include <memory>

#include <vtkRenderWindow.h>

namespace sulcus::ui::widgets {

/// The parts of a view: a VTK scene, the canvas on which it is drawn, and the layers that it is given.
template <class Scene>
struct SceneCanvas {
  Canvas* canvas;  ///< fills the view
  SceneLayers* sceneLayers;
  std::unique_ptr<Scene> scene;

  /// All must outlive it; `draw` as in Canvas::setDraw(). Events of the canvas can arrive from here on:
  /// `owner` begins to filter them once it has this.
  SceneCanvas(SceneView& owner, model::LayerStack& layers, model::ViewState& view, std::function<bool()> draw)
      : canvas(new Canvas(RenderScheduler::of(view))),
        sceneLayers(new SceneLayers(layers, view, canvas)),
        scene(std::make_unique<Scene>(canvas->renderWindow())) {
    canvas->setDraw(std::move(draw));
    canvas->setTake([this] { sceneLayers->take(); });
    canvas->setLetGo([this, &layers] {
      handLayers();
      return layers.layers().empty();
    });
    auto* box = new QVBoxLayout(&owner);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(canvas);
    owner.setFocusPolicy(Qt::StrongFocus);
    owner.setFocusProxy(canvas);
    owner.setMinimumSize(80, 80);
    QObject::connect(&view, &model::ViewState::decorationChanged, canvas, &Canvas::scheduleRender);
  }
  ~SceneCanvas() {
    // VTK's objects are destroyed while there is a context in which to free their textures.
    canvas->setDraw({});
    canvas->setLetGo({});
    canvas->makeCurrent();
    scene.reset();
    canvas->doneCurrent();
  }
  SceneCanvas(const SceneCanvas&) = delete;
  SceneCanvas& operator=(const SceneCanvas&) = delete;

  /// Passes the scene its layers if they have changed.
  void handLayers() {
    if (auto changed = sceneLayers->takeChanged()) scene->setLayers(std::move(*changed));
  }
  /// Shows the warning whose sign is under the mouse; false if there is none.
  bool showTip(const QHelpEvent& event) const {
    const double ratio = canvas->devicePixelRatioF();
    const std::string tip =
        scene->warningAt(event.pos().x() * ratio, (canvas->height() - event.pos().y()) * ratio);
    if (tip.empty()) return false;
    QToolTip::showText(event.globalPos(), QString::fromStdString(tip), canvas);
    return true;
  }
  void setGlyphStyle(const scene::GlyphStyle& style) {
    scene->setGlyphStyle(style);
    canvas->scheduleRender();
  }
  void setFieldStyle(const scene::FieldStyle& style) {
    scene->setFieldStyle(style);
    canvas->scheduleRender();
  }
};

}  // namespace sulcus::ui::widgets
