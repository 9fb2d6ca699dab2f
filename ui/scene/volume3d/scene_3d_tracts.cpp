// Scene3d: tracts, and the regions that choose their lines.
#include "ui/scene/volume3d/scene_3d.h"

#include <vtkRenderer.h>

namespace sulcus::ui::scene {

std::int64_t Scene3d::segmentsToDraw() const {
  std::int64_t segments = 0;
  for (const SceneLayer& layer : layers_)
    if (isTracts(layer)) segments += segmentsOf(layer);
  return segments;
}

bool Scene3d::drags() const {
  return !rest_ && !budget_.isStill() && std::ranges::any_of(layers_, [](const SceneLayer& layer) {
    return isTracts(layer) && areDragged(layer);
  });
}

void Scene3d::updateTracts() {
  const double width = drags() && !onGpu_ ? 0 : glyphStyle_.tractWidth;
  for (const SceneLayer& layer : layers_) {
    if (!isTracts(layer)) continue;
    auto& tracts = tracts_[layer.id];
    if (!tracts) tracts = std::make_unique<TractActor>(main_);
    if (tracts->show(layer, width, budget_.oneIn())) budget_.expectNew();
    tracts->cut(cutOf(layer));
  }
  const RegionsShown shown = regionsOf(layers_);
  regions_.show(shown.regions, shown.inHand, {});
}

Vec3<double> Scene3d::placeAt(double x, double y, const Vec3<double>& like) const {
  main_->SetWorldPoint(like.x, like.y, like.z, 1);
  main_->WorldToDisplay();
  main_->SetDisplayPoint(x, y, main_->GetDisplayPoint()[2]);
  main_->DisplayToWorld();
  const double* p = main_->GetWorldPoint();
  return 1 / p[3] * Vec3<double>{p[0], p[1], p[2]};
}

std::optional<Scene3d::PickedRegion> Scene3d::regionAt(double x, double y) const {
  const Vec3<double> from = pose().position, along = normalized(placeAt(x, y, pose().focus) - from);
  std::optional<PickedRegion> nearest;
  double distance = 0;
  for (const SceneLayer& layer : layers_) {
    if (!layer.tracts) continue;
    for (std::size_t i = 0; i < layer.tracts->regions.size(); ++i) {
      const auto hit = distanceTo(layer.tracts->regions[i], from, along);
      if (!hit || (nearest && *hit >= distance)) continue;
      nearest = PickedRegion{layer.id, int(i), from + *hit * along};
      distance = *hit;
    }
  }
  return nearest;
}

std::string Scene3d::glyphNote() const {
  if (!glyphs_.empty()) return budget_.note();
  return tracts_.empty() ? fieldNote(fields_, fieldStyle_) : budget_.note("showing 1 in %1 lines");
}

}  // namespace sulcus::ui::scene
