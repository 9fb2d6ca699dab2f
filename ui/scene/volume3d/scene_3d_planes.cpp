// Scene3d: the images and fields on its three planes.
#include "ui/scene/volume3d/clipping.h"
#include "ui/scene/volume3d/scene_3d.h"

#include <algorithm>
#include <cmath>

#include <vtkImageStack.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

/// A scan without its background, through which one sees what stands behind. Of a map, which is in colors or
/// has a bar, the low end says as much as the high one.
SceneLayer onPlane(const SceneLayer& layer) {
  SceneLayer shown = layer;
  const bool isMap = layer.display.colorBar || layer.display.colormap != Display().colormap;
  if (!isVolume(layer) || isMap || layer.display.hideBelow || !layer.display.range) return shown;
  const Range range = colorRange(layer.display, *layer.display.range);
  if (range.low < 0) return shown;
  shown.display.hideBelow = isBody(layer) ? bodyFloor(range) : std::nextafter(range.low, range.high);
  shown.display.fade = false;  // this is no threshold of the user's
  return shown;
}

/// Planes of which the coronal one faces the eye.
SliceTurn turnOf(const CameraPose& pose) {
  const Vec3<double> back = normalized(pose.position - pose.focus);
  const Vec3<double> up = normalized(pose.up - dot(pose.up, back) * back);
  return {{cross(back, up), back, up}};
}

}  // namespace

bool Scene3d::isPlane(const SceneLayer& layer) const {
  return isPlaneImage(layer, fieldStyle_) && (planesBesideSurfaces_ || !surfaces_) &&
         // They would be inside of the body.
         !(isBody(layer) && layer.display.cut == Cut::nothing);
}

Cut Scene3d::cutOfBodies() const {
  const auto body = std::find_if(layers_.begin(), layers_.end(), [](const SceneLayer& layer) {
    return isBody(layer) && layer.display.cut != Cut::nothing;
  });
  return body == layers_.end() ? Cut::nothing : body->display.cut;
}

void Scene3d::updatePlanesAndFields() {
  // Beside a body that loses a half only the plane along which it is cut is shown: others would stand in what
  // is taken away. One that faces the eye takes the place of the coronal plane.
  const Cut cut = cutOfBodies();
  const bool facing = cut == Cut::facing, all = cut == Cut::nothing || cut == Cut::octant;
  const SliceTurn turn = facing ? turnOf(pose()) : turn_;
  std::vector<const Grid*> grids;
  for (const SceneLayer& layer : layers_)
    if (isPlane(layer)) grids.push_back(gridOf(*layer.layer));
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<PlaneBlend::Part> shown;
    const PlaneRaster raster =
        grids.empty() ? PlaneRaster() : rasterOf(grids, sliceAxes(int(i), false, turn), crosshair_);
    for (const SceneLayer& layer : layers_) {
      if (!isPlane(layer)) continue;
      auto& image = planeImages_[layer.id][i];
      if (!image) image = std::make_unique<PlaneImage>();
      const SceneLayer clear = onPlane(layer);
      image->show(clear, raster, fieldStyle_);
      const std::optional<double>& floor = clear.display.hideBelow;
      const bool covers = floor && !layer.display.hideBelow && !layer.display.hideAbove &&
                          layer.display.opacity >= 1 && !layer.opacityImage &&
                          image->colors()->GetOpacity(*floor) > 0.5;
      shown.push_back({image.get(), covers});
    }
    blends_[i]->show(shown, raster);
    stacks_[i]->SetVisibility(all || int(i) == (facing ? 1 : cutAxis(cut)));
  }
  for (const SceneLayer& layer : layers_) {
    if (!isFieldShape(layer, fieldStyle_)) continue;
    auto& actor = fields_[layer.id];
    if (!actor) actor = std::make_unique<FieldActor>(main_, false);
    std::vector<CutPlane> planes;
    for (const Vec3<double>& normal : turn_.axes) planes.push_back({crosshair_, normal});
    actor->show(layer, fieldStyle_, planes);
  }
}

}  // namespace sulcus::ui::scene
