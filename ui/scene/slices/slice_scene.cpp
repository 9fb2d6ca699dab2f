#include "ui/scene/slices/slice_scene.h"

#include "core/base/stage_clock.h"
#include "core/image/table_places.h"
#include "ui/scene/common/words.h"
#include "ui/scene/glyphs/glyphs.h"
#include "ui/scene/glyphs/lobes.h"
#include "ui/scene/volume3d/mesh_actor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <numbers>

#include <vtkCamera.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

constexpr std::int64_t kTriangles = 300'000;  // for all lobes of a layer, before thinning
constexpr double kBarBottom = 48;             // points below color bars
constexpr double kCameraDistance = 2000;  // mm; without perspective, only the clipping planes depend on it
/// Distance from the plane within which landmarks are shown, smaller the further away, mm.
constexpr double kLandmarkReach = 6;

/// The position of the plane along its axis, or its tilt.
std::string placeOf(const SliceLook& look) {
  char text[64];
  const Vec3<double>& normal = look.turn.axes[std::size_t(look.normal)];
  const double degrees = std::acos(std::min(normal[look.normal], 1.0)) * 180 / std::numbers::pi;
  constexpr const char* kFrom[] = {"from sagittal", "from coronal", "from axial"};
  if (degrees < 0.05)
    std::snprintf(text, sizeof text, "%c %s%.1f mm", "XYZ"[look.normal],
                  look.crosshair[look.normal] <= -0.05 ? "\u2212" : "+",
                  std::abs(look.crosshair[look.normal]));
  else
    std::snprintf(text, sizeof text, "%.1f\u00B0 ", degrees);
  return degrees < 0.05 ? text : text + words(kFrom[look.normal]);
}

/// An image, positioned by its pixels in the view.
ScreenImages::Part partOf(const PlaneImage& image, const SliceCamera& camera) {
  const PlaneRaster& raster = image.raster();
  const Vec3<double> corner = raster.origin - 0.5 * (raster.right + raster.up);
  const Vec3<double> low = camera.pixelOf(corner),
                     high = camera.pixelOf(corner + double(raster.width) * raster.right +
                                           double(raster.height) * raster.up);
  return {
      image.image(),      low.x, low.y, high.x, high.y, image.opacity(), image.isSmooth(), image.isOpaque(),
      image.firstColumn()};
}

}  // namespace

SliceScene::SliceScene(vtkRenderWindow* window)
    : window_(window),
      images_(vtkSmartPointer<vtkRenderer>::New()),
      overlay_(vtkSmartPointer<vtkRenderer>::New()),
      pixels_(vtkSmartPointer<ScreenImages>::New()),
      regions_(overlay_),
      bars_(overlay_),
      annotations_(overlay_),
      scaleBar_(overlay_),
      legend_(overlay_) {
  window_->SetNumberOfLayers(2);
  images_->SetBackground(0, 0, 0);
  images_->AddViewProp(pixels_);
  overlay_->SetLayer(1);
  images_->GetActiveCamera()->ParallelProjectionOn();
  overlay_->SetActiveCamera(images_->GetActiveCamera());
  images_->InteractiveOff();
  window_->AddRenderer(images_);
  window_->AddRenderer(overlay_);
}

SliceScene::~SliceScene() {
  window_->RemoveRenderer(overlay_);
  window_->RemoveRenderer(images_);
}

void SliceScene::setViewport(const std::array<double, 4>& viewport) {
  viewport_ = viewport;
  for (const auto& renderer : {images_, overlay_}) renderer->SetViewport(viewport_.data());
}

void SliceScene::setLayers(std::vector<SceneLayer> layers) {
  layers_ = std::move(layers);
  dropStale();
}

void SliceScene::setStyles(const Styles& styles) {
  styles_ = styles;
  dropStale();
}

void SliceScene::dropStale() {
  const auto byPlane = [this](const SceneLayer& layer) { return isPlaneImage(layer, styles_.fields); };
  dropUnwanted(planeImages_, layers_, byPlane);
  dropUnwanted(glyphs_, layers_, isPeaks);
  dropUnwanted(fields_, layers_,
               [this](const SceneLayer& layer) { return isFieldShape(layer, styles_.fields); });
  dropUnwanted(outlines_, layers_, isMesh);
  dropUnwanted(tracts_, layers_, isTracts);
  dropUnwanted(landmarks_, layers_, [](const SceneLayer& layer) { return isLandmarks(*layer.layer); });
  makeInOrder();
}

/// Lines and glyphs in one plane are stacked in the order in which they were created, which must be that of
/// the layers.
void SliceScene::makeInOrder() {
  std::vector<int> order, stay;
  for (const SceneLayer& layer : layers_)
    if (!isPlaneImage(layer, styles_.fields)) order.push_back(layer.id);
  std::ranges::copy_if(made_, std::back_inserter(stay),
                       [&](int id) { return std::ranges::find(order, id) != order.end(); });
  // A new topmost layer leaves the others as they are.
  if (!std::equal(stay.begin(), stay.end(), order.begin()))
    outlines_.clear(), glyphs_.clear(), fields_.clear(), tracts_.clear(), landmarks_.clear();
  made_ = std::move(order);
  for (const SceneLayer& layer : layers_) {
    if (isMesh(layer)) actorFor(outlines_, layer, overlay_);
    if (isTracts(layer)) actorFor(tracts_, layer, overlay_);
    if (isPeaks(layer)) actorFor(glyphs_, layer, overlay_);
    if (isFieldShape(layer, styles_.fields)) actorFor(fields_, layer, overlay_, true);
    if (isLandmarks(*layer.layer)) actorFor(landmarks_, layer, overlay_);
  }
}

LayerColors* SliceScene::colorsOf(int layer) const {
  if (const auto image = planeImages_.find(layer); image != planeImages_.end())
    return image->second->colors();
  const auto field = fields_.find(layer);
  return field == fields_.end() ? nullptr : field->second->colors();
}

SliceCamera SliceScene::camera() const {
  const int* size = window_->GetSize();
  return {sliceAxes(look_.normal, look_.radiological, look_.turn),
          look_.center,
          look_.crosshair,
          look_.extent,
          int(std::lround(size[0] * (viewport_[2] - viewport_[0]))),
          int(std::lround(size[1] * (viewport_[3] - viewport_[1])))};
}

void SliceScene::updateImages(const SliceCamera& camera) {
  // Images are made from the top down: what is entirely below an opaque image is neither computed nor drawn.
  covered_.clear();
  const Vec3<double>& normal = look_.turn.axes[std::size_t(look_.normal)];
  std::vector<const PlaneImage*> above;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if (isPlaneImage(*layer, styles_.fields)) {
      PlaneImage& image = actorFor(planeImages_, *layer);
      const Grid& grid = *gridOf(*layer->layer);
      const PlaneRaster raster = isField(*layer) ? rasterOf({&grid}, camera.axes, camera.plane)
                                                 : rasterOf(camera, grid, mostPixels(*layer));
      if (std::any_of(above.begin(), above.end(), [&](auto* other) { return other->covers(raster); })) {
        image.hide(*layer);
        covered_.insert(layer->id);
        continue;
      }
      const bool asFine = norm(raster.right) <= 1.0001 * camera.millimetersPerPixel();
      image.show(*layer, raster, styles_.fields, asFine && !isField(*layer));
      image.cutBefore(layer->cut ? std::optional(camera.worldAt(*layer->cut * camera.width, 0))
                                 : std::nullopt);
      above.push_back(&image);
    } else if (isMesh(*layer)) {
      outlines_.at(layer->id)->show(*layer, {camera.plane, normal});
    }
  }
  std::vector<ScreenImages::Part> parts;
  for (auto image = above.rbegin(); image != above.rend(); ++image)
    if ((*image)->isVisible()) parts.push_back(partOf(**image, camera));
  pixels_->show(std::move(parts));
}

std::vector<SceneLayer> SliceScene::seenLayers() const {
  std::vector<SceneLayer> seen;
  std::ranges::copy_if(layers_, std::back_inserter(seen),
                       [this](const SceneLayer& layer) { return !covered_.contains(layer.id); });
  return seen;
}

void SliceScene::updateFields(const SliceCamera& camera) {
  const CutPlane plane{camera.focus(), camera.axes.towardViewer()};
  for (const SceneLayer& layer : layers_) {
    if (!isFieldShape(layer, styles_.fields)) continue;
    fields_.at(layer.id)->show(layer, styles_.fields, {plane});
  }
}

/// The glyphs of a plane. Lobes are expensive: only those near the visible region are built. The region moves
/// in steps of a quarter of the view.
struct SliceScene::GlyphRegion {
  explicit GlyphRegion(const SliceCamera& camera)
      : focus(camera.focus()),
        normal(camera.axes.towardViewer()),
        right(camera.axes.right),
        up(camera.axes.up),
        scale(camera.millimetersPerPixel()) {
    const double step = 0.25 * std::exp2(std::ceil(2 * std::log2(camera.extent)) / 2);
    u = step * std::round(dot(focus, right) / step);
    v = step * std::round(dot(focus, up) / step);
    reachU = 0.5 * camera.width * scale + step;
    reachV = 0.5 * camera.height * scale + step;
  }

  GlyphActor::Place placeOf(const Grid& grid) const {
    GlyphActor::Place place;
    place.sticks = voxelsOnPlane(grid, focus, normal);
    for (const std::int64_t index : place.sticks) {
      const Vec3<double> p = grid.positionOf(index);
      if (std::abs(dot(p, right) - u) <= reachU && std::abs(dot(p, up) - v) <= reachV)
        place.lobes.push_back(index);
    }
    return place;
  }

  Vec3<double> focus, normal, right, up;
  double scale;                 ///< mm per pixel
  double u, v, reachU, reachV;  ///< the center of the region and half its size, along `right` and `up`, mm
};

void SliceScene::updateGlyphs(const SliceCamera& camera) {
  const GlyphRegion region(camera);
  std::int64_t sticks = 0, lobes = 0;
  for (const SceneLayer& layer : layers_) {
    if (!look_.rest || !isPeaks(layer)) continue;
    const GlyphActor::Place place = region.placeOf(*gridOf(*layer.layer));
    if (drawsSticks(layer, styles_.glyphs)) sticks += std::int64_t(place.sticks.size());
    if (drawsSurfaces(layer, styles_.glyphs)) lobes += std::int64_t(place.lobes.size());
  }
  budget_.rest(look_.rest ? oneInAtRest(sticks, lobes) : 0);
  for (const SceneLayer& layer : layers_)
    if (isPeaks(layer) && showGlyphs(layer, region, lobes)) budget_.expectNew();
}

bool SliceScene::showGlyphs(const SceneLayer& layer, const GlyphRegion& region, std::int64_t lobesAtRest) {
  const Grid& grid = *gridOf(*layer.layer);
  const Vec3<double> spacing = grid.spacing();
  const double voxelPixels = std::min({spacing.x, spacing.y, spacing.z}) / region.scale;
  int finest = voxelPixels < 14 ? 1 : 2;
  if (budget_.isStill() || look_.rest || voxelPixels >= 30) finest = kFinestLevel;
  const Vec3<double>& normal = region.normal;
  std::vector<double> key = {normal.x, normal.y, normal.z, dot(region.focus, normal)};
  if (drawsSurfaces(layer, styles_.glyphs))
    key.insert(key.end(), {region.u, region.v, region.reachU, region.reachV, double(finest),
                           double(budget_.isStill()), double(look_.rest)});
  return glyphs_.at(layer.id)->show(layer, styles_.glyphs, key, budget_.oneIn(), [&] {
    GlyphActor::Place place = region.placeOf(grid);
    place.lobeLevel = finest;
    if (budget_.isStill()) return place;
    place.lobeLevel = look_.rest ? finestLevelOf(lobesAtRest / budget_.oneIn(), kTrianglesAtRest, finest)
                                 : finestLevelOf(std::int64_t(place.lobes.size()), kTriangles, finest);
    return place;
  });
}

void SliceScene::updateTracts(const SliceCamera& camera) {
  const CutPlane plane{camera.focus(), camera.axes.towardViewer()};
  const bool moves = !look_.still && !look_.rest;
  for (const SceneLayer& layer : layers_) {
    if (!isTracts(layer)) continue;
    TractActor& tracts = *tracts_.at(layer.id);
    if (moves && areDragged(layer))
      tracts.showSlab(layer, 0, plane, kPointsOfSlabWhileDragged, true);
    else
      tracts.showSlab(layer, styles_.glyphs.tractWidth, plane,
                      moves ? kSegmentsOfSlabAtFirst : kLimitsOfProcessor.atRest);
  }
  const RegionsShown shown = regionsOf(layers_);
  regions_.show(shown.regions, shown.inHand, plane);
}

std::string SliceScene::glyphNote() const {
  if (!glyphs_.empty()) return budget_.note();
  int oneIn = 1;
  for (const auto& [id, actor] : tracts_) oneIn = std::max(oneIn, actor->slabOneIn());
  return oneIn > 1 ? words("showing 1 in %1 lines", oneIn) : fieldNote(fields_, styles_.fields);
}

bool SliceScene::leavesOut() const {
  if (look_.rest || look_.still) return false;
  if (std::ranges::any_of(tracts_, [](const auto& entry) { return entry.second->slabOneIn() > 1; }))
    return true;
  if (glyphs_.empty()) return false;
  if (budget_.oneIn() > 1) return true;
  return std::ranges::any_of(layers_, [this](const SceneLayer& layer) {
    return isPeaks(layer) && drawsSurfaces(layer, styles_.glyphs) &&
           glyphs_.at(layer.id)->lobeLevel() < kFinestLevel;
  });
}

void SliceScene::updateLandmarks(const SliceCamera& camera) {
  const auto project = [&camera](const Vec3<double>& world) {
    Vec3<double> seen = camera.pixelOf(world);
    seen.z = std::max(0.0, 1 - std::abs(seen.z) / kLandmarkReach);
    return seen;
  };
  for (const SceneLayer& layer : layers_) {
    if (!isLandmarks(*layer.layer)) continue;
    landmarks_.at(layer.id)->show(layer, project);
  }
}

void SliceScene::updateTexts(const SliceCamera& camera) {
  using Corner = Annotations::Corner;
  const bool letters = look_.lettersVisible;
  const bool assumed = anySidesAssumed(layers_);
  const auto letter = [&](const Vec3<double>& direction) {
    if (!letters || !look_.sides) return std::string();
    const std::string named = lettersOf(direction);
    return assumed && named.find_first_of("LR") != named.npos ? named + "?" : named;
  };
  annotations_.setText(Corner::right, letter(camera.axes.right));
  annotations_.setText(Corner::left, letter(-camera.axes.right));
  annotations_.setText(Corner::top, letter(camera.axes.up));
  annotations_.setText(Corner::bottom, letter(-camera.axes.up));
  annotations_.setText(Corner::bottomLeft, letters ? placeOf(look_) : "");
  // Anyone looking at a slice must be able to tell left from right: the convention is never hidden.
  std::string convention = words(look_.radiological ? "Radiological" : "Neurological");
  if (assumed) convention += "?";
  annotations_.setText(Corner::bottomRight, look_.keys ? convention : "");
  annotations_.setText(Corner::topLeft, look_.title);
  annotations_.setText(Corner::lowerLeft, look_.caption.empty() ? glyphNote() : look_.caption);
  std::string warnings = warningsOf(seenLayers());
  if (assumed) warnings += (warnings.empty() ? "" : "\n") + words("Left and right are assumed");
  annotations_.setText(Corner::warning, look_.keys ? warnings : "");
}

void SliceScene::updateAnnotations(const SliceCamera& camera) {
  updateTexts(camera);
  const bool hasCross = look_.crosshairVisible && !layers_.empty();
  annotations_.setCrosshair(hasCross ? std::optional(camera.pixelOf(look_.crosshair)) : std::nullopt);
  annotations_.setEdge(look_.edge ? std::optional(*look_.edge * camera.width) : std::nullopt);
  if (look_.keys && look_.scaleBar && !layers_.empty()) {
    // Above the convention, which is in the corner.
    const double unit = window_->GetDPI() / 72.0;
    const double above = (34 + Annotations::raiseAt(camera.width / unit)) * unit;
    scaleBar_.layOut(camera.width, above, camera.millimetersPerPixel());
  } else {
    scaleBar_.hide();
  }
  const bool across = ColorBar::isAcross(camera.width, camera.height);
  const int room = camera.height - (look_.title.empty() ? 0 : Annotations::titleHeight(window_->GetDPI()));
  const auto barColorsOf = [this](const SceneLayer& layer) {
    return look_.bars && hasBar(layer, styles_.fields) ? colorsOf(layer.id) : nullptr;
  };
  const double bars = bars_.show(seenLayers(), barColorsOf, {camera.width, room, kBarBottom, across});
  annotations_.layOut(camera.width, camera.height, bars);
  legend_.show(look_.keys ? legendOf(layers_) : std::vector<Legend::Entry>());
  legend_.layOut(camera.height, !look_.title.empty());
}

void SliceScene::placeCamera(const SliceCamera& slice) {
  const Vec3<double> focus = slice.focus(), out = slice.axes.towardViewer();
  vtkCamera* camera = images_->GetActiveCamera();
  const Vec3<double> eye = focus + kCameraDistance * out;
  camera->SetFocalPoint(focus.x, focus.y, focus.z);
  camera->SetPosition(eye.x, eye.y, eye.z);
  camera->SetViewUp(slice.axes.up.x, slice.axes.up.y, slice.axes.up.z);
  camera->SetParallelScale(0.5 * slice.height * slice.millimetersPerPixel());
  camera->SetClippingRange(0.5 * kCameraDistance, 1.5 * kCameraDistance);
}

void SliceScene::updateMarks(const SliceCamera& slice) {
  updateGlyphs(slice);
  updateTracts(slice);
  updateFields(slice);
  updateLandmarks(slice);
  updateAnnotations(slice);
}

void SliceScene::update() {
  const SliceCamera slice = camera();
  placeCamera(slice);
  updateImages(slice);
  updateMarks(slice);
}

bool SliceScene::render() {
  const SliceCamera slice = camera();
  placeCamera(slice);
  updateImages(slice);
  const StageClock clock;
  updateMarks(slice);
  window_->Render();
  const bool mayThin = isWorthThinning(glyphs_);
  if (!mayThin && budget_.oneIn() == 1) return false;
  window_->WaitForCompletion();
  return budget_.record(clock.seconds(), mayThin);
}

}  // namespace sulcus::ui::scene
