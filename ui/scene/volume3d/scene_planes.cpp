#include "ui/scene/volume3d/scene_planes.h"

#include "ui/scene/slices/plane_image.h"
#include "ui/scene/volume3d/clipping.h"
#include "ui/scene/volume3d/volume_rendering.h"

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
  for (const int x : {0, last.x})
    for (const int y : {0, last.y})
      for (const int z : {0, last.z}) {
        const double value = image(x, y, z);
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

/// Hides the background of a map, which is the value in its corners.
void hideBackground(const SceneLayer& map, const Range& range, Display& shown) {
  constexpr double kNothing = 1e-6;  // fraction of the range: 0 in float precision
  const Range corners = cornersOf(map);
  if (corners.low != corners.high || !holdsMore(map, corners.low)) return;
  if (range.low >= 0) {
    if (corners.low <= range.low) shown.hideBelow = std::nextafter(corners.low, range.high);
    return;
  }
  if (corners.low != 0 || map.display.hideAbove) return;
  shown.hideBelow =
      kNothing * (range.high - range.low);  // nothing lies between the values below and above it
  shown.hideAbove = -*shown.hideBelow;
}

/// Hides the darkness around the patient.
void hideDarkness(const SceneLayer& scan, const Range& range, Display& shown) {
  constexpr double kRim = 0.06;  // of the range: what interpolation and noise leave around the patient
  const double rim = kRim * (range.high - range.low), black = std::max(0.0, range.low);
  if (range.low < -rim) return;  // only noise is below 0
  const bool dark = cornersOf(scan).high <= black + rim;
  shown.hideBelow = dark ? black + rim : std::nextafter(range.low, range.high);
  if (isBody(scan)) shown.hideBelow = bodyFloor(range);
}

/// An image without its background, so that what is behind it is visible: for a scan, everything nearly as
/// dark, so that no black rim remains; for a map, which is colored or has a bar, the value in its corners,
/// since its low end is as meaningful as the high one.
SceneLayer onPlane(const SceneLayer& layer) {
  SceneLayer shown = layer;
  if (!isVolume(layer) || layer.display.hideBelow || !layer.display.range) return shown;
  const bool isMap = layer.display.colorBar || layer.display.colormap != Display().colormap;
  const Range range = colorRange(layer.display, *layer.display.range);
  (isMap ? hideBackground : hideDarkness)(layer, range, shown.display);
  if (shown.display.hideBelow) shown.display.fade = false;  // this is not a threshold set by the user
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

ScenePlanes::ScenePlanes(vtkRenderer* renderer) {
  for (std::size_t i = 0; i < 3; ++i) {
    stacks_[i] = vtkSmartPointer<vtkImageStack>::New();
    renderer->AddViewProp(stacks_[i]);
    blends_[i] = std::make_unique<PlaneBlend>(stacks_[i]);
  }
}

ScenePlanes::~ScenePlanes() = default;

void ScenePlanes::show(const std::vector<SceneLayer>& images, const Frame3d& frame, Cut cut) {
  dropUnwanted(images_, images, [](const SceneLayer&) { return true; });
  std::vector<const Grid*> grids;
  std::vector<SceneLayer> clear;
  for (const SceneLayer& image : images) {
    grids.push_back(gridOf(*image.layer));
    clear.push_back(onPlane(image));
  }
  // If a body loses a half, only the plane along which it is cut is shown: others would be in the removed
  // half. A cut facing the viewer replaces the coronal plane.
  const bool facing = cut == Cut::facing, all = cut == Cut::nothing || cut == Cut::octant;
  const SliceTurn turn = facing ? turnOf(frame.pose) : frame.look.turn;
  const Vec3<double>& crosshair = frame.look.crosshair;
  // Small pixels, without visible steps, for what is on the cut of a body and for pictures.
  const int perVoxel = cut != Cut::nothing || frame.look.still ? kFinePixels : 1;
  // Rotated planes are not sides of the octant, which has the axes of the scanner.
  const bool areSides = cut == Cut::octant && frame.look.turn == SliceTurn();
  for (std::size_t i = 0; i < 3; ++i) {
    PlaneRaster raster;
    if (!grids.empty()) raster = rasterOf(grids, sliceAxes(int(i), false, turn), crosshair, perVoxel);
    std::vector<PlaneBlend::Part> parts;
    for (std::size_t image = 0; image < images.size(); ++image)
      parts.push_back(partOf(images[image], clear[image], i, raster, frame.styles.fields));
    blends_[i]->show(parts, raster, perVoxel > 1);
    blends_[i]->cut(areSides ? sideOfOctant(i, crosshair, frame.pose.position) : std::vector<CutPlane>());
    stacks_[i]->SetVisibility(all || int(i) == (facing ? 1 : cutAxis(cut)));
  }
}

PlaneBlend::Part ScenePlanes::partOf(const SceneLayer& image, const SceneLayer& clear, std::size_t plane,
                                     const PlaneRaster& raster, const FieldStyle& fieldStyle) {
  auto& drawn = images_[image.id][plane];
  if (!drawn) drawn = std::make_unique<PlaneImage>();
  drawn->show(clear, raster, fieldStyle);
  const std::optional<double>& floor = clear.display.hideBelow;
  const bool covers = floor && !image.display.hideBelow && !clear.display.hideAbove &&
                      image.display.opacity >= 1 && !image.opacityImage &&
                      drawn->colors()->GetOpacity(*floor) > 0.5;
  return {drawn.get(), covers};
}

LayerColors* ScenePlanes::colorsOf(int layer) const { return images_.at(layer)[0]->colors(); }

}  // namespace sulcus::ui::scene
