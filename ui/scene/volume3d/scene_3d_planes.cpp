// Scene3d: the images and fields on its three planes.
#include "ui/scene/volume3d/clipping.h"
#include "ui/scene/volume3d/scene_3d.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <vtkImageStack.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

constexpr int kFinePixels = 3;  // of a plane, along the edge of a voxel

/// The values of an image in its corners, outside the patient.
Range cornersOf(const SceneLayer& layer) {
  const Series<float>& series = *std::get<VolumeLayer>(layer.layer->content).series;
  const auto image = series.volume(std::clamp(layer.volume, 0, series.count - 1));
  const Vec3<int> last{image.size.x - 1, image.size.y - 1, image.size.z - 1};
  Range corners{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (int corner = 0; corner < 8; ++corner) {
    const double value = image(corner & 1 ? last.x : 0, corner & 2 ? last.y : 0, corner & 4 ? last.z : 0);
    corners = {std::min(corners.low, value), std::max(corners.high, value)};
  }
  return corners;
}

/// Whether an image has any other value, as far as a sample of its voxels shows.
bool holdsMore(const SceneLayer& layer, double value) {
  constexpr int kSteps = 9;
  const Series<float>& series = *std::get<VolumeLayer>(layer.layer->content).series;
  const auto image = series.volume(std::clamp(layer.volume, 0, series.count - 1));
  const auto at = [](int size, int step) { return (size - 1) * step / kSteps; };
  for (int z = 0; z <= kSteps; ++z)
    for (int y = 0; y <= kSteps; ++y)
      for (int x = 0; x <= kSteps; ++x)
        if (image(at(image.size.x, x), at(image.size.y, y), at(image.size.z, z)) != value) return true;
  return false;
}

/// An image without its background, so that what is behind it is visible: for a scan, everything nearly as
/// dark, so that no black rim remains; for a map, which is colored or has a bar, the value in its corners,
/// since its low end is as meaningful as the high one.
SceneLayer onPlane(const SceneLayer& layer) {
  constexpr double kRim = 0.06;      // of the range: what interpolation and noise leave around the patient
  constexpr double kNothing = 1e-6;  // fraction of the range: 0 in float precision
  SceneLayer shown = layer;
  if (!isVolume(layer) || layer.display.hideBelow || !layer.display.range) return shown;
  const bool isMap = layer.display.colorBar || layer.display.colormap != Display().colormap;
  const Range range = colorRange(layer.display, *layer.display.range);
  const Range corners = cornersOf(layer);
  const double rim = kRim * (range.high - range.low);
  if (isMap) {
    const bool even = corners.low == corners.high;
    if (!even || !holdsMore(layer, corners.low)) return shown;
    if (range.low < 0) {  // nothing lies between the values below and above it
      if (corners.low != 0 || layer.display.hideAbove) return shown;
      shown.display.hideBelow = kNothing * (range.high - range.low);
      shown.display.hideAbove = -*shown.display.hideBelow;
    } else {
      if (corners.low > range.low) return shown;
      shown.display.hideBelow = std::nextafter(corners.low, range.high);
    }
  } else {
    if (range.low < -rim) return shown;  // only noise is below 0
    const bool dark = corners.high <= std::max(0.0, range.low) + rim;
    shown.display.hideBelow = dark ? std::max(0.0, range.low) + rim : std::nextafter(range.low, range.high);
    if (isBody(layer)) shown.display.hideBelow = bodyFloor(range);
  }
  shown.display.fade = false;  // this is not a threshold set by the user
  return shown;
}

/// Planes oriented so that the coronal one faces the viewer.
SliceTurn turnOf(const CameraPose& pose) {
  const Vec3<double> back = normalized(pose.position - pose.focus);
  const Vec3<double> up = normalized(pose.up - dot(pose.up, back) * back);
  return {{cross(back, up), back, up}};
}

/// What a plane shows where an octant is cut out: the side of it that faces the viewer. The rest of it is
/// inside the body, on whose surface it would be visible as a line.
std::vector<CutPlane> sideOfOctant(std::size_t plane, const Vec3<double>& corner, const Vec3<double>& eye) {
  std::vector<CutPlane> ends;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == int(plane)) continue;
    Vec3<double> away;
    away[axis] = eye[axis] > corner[axis] ? -1 : 1;
    ends.push_back({corner, away});
  }
  return ends;
}

}  // namespace

bool Scene3d::isPlane(const SceneLayer& layer) const {
  return isPlaneImage(layer, fieldStyle_) && (planesBesideSurfaces_ || !surfaces_) &&
         // They would be inside the body.
         !(isBody(layer) && layer.display.cut == Cut::nothing);
}

Cut Scene3d::cutOfBodies() const {
  const auto body = std::find_if(layers_.begin(), layers_.end(), [](const SceneLayer& layer) {
    return isBody(layer) && layer.display.cut != Cut::nothing;
  });
  return body == layers_.end() ? Cut::nothing : body->display.cut;
}

void Scene3d::updatePlanesAndFields() {
  // If a body loses a half, only the plane along which it is cut is shown: others would be in the removed
  // half. A cut facing the viewer replaces the coronal plane.
  const Cut cut = cutOfBodies();
  const bool facing = cut == Cut::facing, all = cut == Cut::nothing || cut == Cut::octant;
  const SliceTurn turn = facing ? turnOf(pose()) : turn_;
  // Small pixels, without visible steps, for what is on the cut of a body and for pictures.
  const int perVoxel = cut != Cut::nothing || budget_.isStill() ? kFinePixels : 1;
  std::vector<const Grid*> grids;
  for (const SceneLayer& layer : layers_)
    if (isPlane(layer)) grids.push_back(gridOf(*layer.layer));
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<PlaneBlend::Part> shown;
    const PlaneRaster raster =
        grids.empty() ? PlaneRaster() : rasterOf(grids, sliceAxes(int(i), false, turn), crosshair_, perVoxel);
    for (const SceneLayer& layer : layers_) {
      if (!isPlane(layer)) continue;
      auto& image = planeImages_[layer.id][i];
      if (!image) image = std::make_unique<PlaneImage>();
      const SceneLayer clear = onPlane(layer);
      image->show(clear, raster, fieldStyle_);
      const std::optional<double>& floor = clear.display.hideBelow;
      const bool covers = floor && !layer.display.hideBelow && !clear.display.hideAbove &&
                          layer.display.opacity >= 1 && !layer.opacityImage &&
                          image->colors()->GetOpacity(*floor) > 0.5;
      shown.push_back({image.get(), covers});
    }
    blends_[i]->show(shown, raster, perVoxel > 1);
    // Rotated planes are not sides of the octant, which has the axes of the scanner.
    const bool isSide = cut == Cut::octant && turn_ == SliceTurn();
    blends_[i]->cut(isSide ? sideOfOctant(i, crosshair_, pose().position) : std::vector<CutPlane>());
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
