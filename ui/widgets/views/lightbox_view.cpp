#include "ui/widgets/views/lightbox_view.h"

#include "ui/scene/slices/lightbox_scene.h"
#include "ui/widgets/views/canvas.h"

#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {

LightboxView::LightboxView(model::LayerStack& layers, model::ViewState& view, QWidget* parent)
    : PlaneView(layers, view, Slices::many, parent),
      scene_(adopt(std::make_unique<scene::LightboxScene>(canvas_->renderWindow()))) {}

void LightboxView::setLook(const model::LightboxLook& look) {
  if (look.plane != look_.plane) shift_ = 0;
  look_ = look;
  canvas_->scheduleRender();
}

void LightboxView::reset() {
  shift_ = 0;
  canvas_->scheduleRender();
}

std::vector<double> LightboxView::places() const {
  // The lowest visible layer with a grid determines the slices.
  const auto& all = layers_.layers();
  const auto base = std::ranges::find_if(
      all, [](const auto& state) { return state.display.visible && gridOf(*state.layer); });
  if (base == all.end()) return {};
  const LayerPtr& layer = base->layer;
  if (layer != visible_.layer.lock() || look_.plane != visible_.plane)
    visible_ = {layer, look_.plane, model::slicesWithContent(*layer, look_.plane)};
  return model::lightboxPlaces(*layer, look_.plane, visible_.range, look_.columns * look_.rows, shift_);
}

void LightboxView::updateScene() {
  const std::vector<double> shown = places();
  const model::LightboxLook grid =
      model::fitted(look_, int(shown.size()), canvas_->width(), canvas_->height());
  scene_.look(lookAt(look_.plane), shown, grid.columns, grid.rows);
}

scene::SliceCamera LightboxView::camera() const {
  scene::SliceCamera camera = scene_.camera();
  const double ratio = canvas_->devicePixelRatioF();
  camera.width = int(std::lround(camera.width / ratio));
  camera.height = int(std::lround(camera.height / ratio));
  return camera;
}

std::optional<Vec3<double>> LightboxView::worldUnder(QPointF position) const {
  const QPointF pixel = canvas_->pixelAt(position);
  return scene_.worldAt(pixel.x(), pixel.y());
}

void LightboxView::step(int slices) {
  shift_ += slices;
  if (places().empty()) shift_ -= slices;  // nothing would be left
  canvas_->scheduleRender();
}

}  // namespace sulcus::ui::widgets
