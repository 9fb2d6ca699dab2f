#include "ui/widgets/views/scene_view.h"

#include "ui/model/layers/image_overlay.h"
#include "ui/scene/scene.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/scene_layers.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <utility>

namespace sulcus::ui::widgets {

SceneView::SceneView(model::LayerStack& layers, model::ViewState& view, QWidget* parent)
    : QWidget(parent),
      layers_(layers),
      view_(view),
      canvas_(new Canvas(RenderScheduler::of(view))),
      sceneLayers_(new SceneLayers(layers, view, canvas_)) {
  canvas_->setDraw([this] { return draw(); });
  canvas_->setTake([this] { sceneLayers_->take(); });
  canvas_->setLetGo([this] {
    handLayers();
    return layers_.layers().empty();
  });
  tight<QVBoxLayout>(this)->addWidget(canvas_);
  setFocusPolicy(Qt::StrongFocus);
  setFocusProxy(canvas_);
  setMinimumSize(80, 80);
  connect(&view, &model::ViewState::decorationChanged, canvas_, &Canvas::scheduleRender);
  canvas_->installEventFilter(this);
}

SceneView::~SceneView() {
  canvas_->close([this] { owned_.reset(); });
}

void SceneView::setStyles(const scene::Styles& styles) {
  owned_->setStyles(styles);
  canvas_->scheduleRender();
}

void SceneView::setImageOverlay(model::ImageOverlay* pair) {
  pair_ = pair;
  sceneLayers_->setPair(pair);
}

void SceneView::setShownLayers(std::optional<std::vector<model::LayerId>> ids) {
  sceneLayers_->setShown(std::move(ids));
}

void SceneView::setTitle(const QString& title) {
  title_ = title;
  canvas_->scheduleRender();
}

void SceneView::setBars(bool on) {
  if (std::exchange(bars_, on) != on) canvas_->scheduleRender();
}

void SceneView::showAllGlyphs() {
  owned_->showAllGlyphs();
  canvas_->scheduleRender();
}

QImage SceneView::screenshot(int scale) { return canvas_->screenshot(scale); }

void SceneView::handLayers() {
  if (auto changed = sceneLayers_->takeChanged()) owned_->setLayers(std::move(*changed));
}

bool SceneView::draw() {
  handLayers();
  updateScene();
  const bool again = owned_->render();
  if (owned_->leavesOut()) canvas_->drawWholeAtRest();
  return again;
}

bool SceneView::showTip(const QHelpEvent& event) const {
  const QPointF pixel = canvas_->pixelAt(event.pos());
  const std::string tip = owned_->warningAt(pixel.x(), pixel.y());
  if (tip.empty()) return false;
  QToolTip::showText(event.globalPos(), QString::fromStdString(tip), canvas_);
  return true;
}

bool SceneView::handle(QEvent& event) {
  if (event.type() == QEvent::ToolTip) return showTip(static_cast<const QHelpEvent&>(event));
  if (event.type() == QEvent::Leave) emit left();
  return false;
}

bool SceneView::eventFilter(QObject* watched, QEvent* event) {
  return watched == canvas_ ? handle(*event) : QWidget::eventFilter(watched, event);
}

}  // namespace sulcus::ui::widgets
