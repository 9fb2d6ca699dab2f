#include "ui/widgets/views/slice_view.h"

#include "ui/model/layers/readout.h"
#include "ui/scene/slices/slice_scene.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/scene_layers.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::widgets {

SliceView::SliceView(model::LayerStack& layers, model::ViewState& view, model::Plane plane, QWidget* parent)
    : PlaneView(layers, view, Slices::one, parent),
      scene_(adopt(std::make_unique<scene::SliceScene>(canvas_->renderWindow()))),
      own_(new model::ViewState(this)),
      plane_(plane) {
  for (auto moved :
       {&model::ViewState::crosshairChanged, &model::ViewState::turned, &model::ViewState::framingChanged})
    connect(own_, moved, canvas_, &Canvas::scheduleRender);
}

void SliceView::setLinked(bool on) {
  if (std::exchange(linked_, on) == on) return;
  own_->setTurn(view_.turn());
  own_->setCrosshair(view_.crosshair());
  own_->setCenter(view_.center());
  own_->setExtent(view_.extent());
  canvas_->scheduleRender();
}

void SliceView::setPlane(model::Plane plane) {
  plane_ = plane;
  canvas_->scheduleRender();
}

scene::SliceCamera SliceView::camera() const {
  return {scene::sliceAxes(axisAcross(plane_), view_.radiological(), place().turn()),
          place().center(),
          place().crosshair(),
          place().extent(),
          canvas_->width(),
          canvas_->height()};
}

Vec3<double> SliceView::worldAt(QPointF p) const {
  return camera().worldAt(p.x(), canvas_->height() - p.y());
}

QString SliceView::caption() const {
  QStringList parts{sceneLayers_->caption()};
  if (!linked_) parts << tr("not linked");
  parts.removeAll(QString());
  return parts.join(QStringLiteral(", "));
}

void SliceView::updateScene() {
  scene::SliceLook look = lookAt(plane_);
  look.caption = caption().toStdString();
  scene_.look(look);
}

void SliceView::step(int slices) {
  const model::LayerState* state = layers_.find(layers_.current());
  if (!state || !gridOf(*state->layer)) {
    const auto& all = layers_.layers();
    const auto found =
        std::ranges::find_if(all, [](const auto& other) { return gridOf(*other.layer) != nullptr; });
    state = found == all.end() ? nullptr : &*found;
  }
  const double distance = slices * (state ? model::sliceStep(*state->layer, normal()) : 1.0);
  place().setCrosshair(place().crosshair() + distance * normal());
}

}  // namespace sulcus::ui::widgets
