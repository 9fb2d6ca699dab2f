#include "ui/scene/volume3d/scene_3d.h"

#include "core/base/stage_clock.h"
#include "core/image/table_places.h"
#include "ui/scene/common/dark_text.h"

#include <algorithm>
#include <cmath>

#include <vtkLight.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

constexpr double kCube = 64;  // points; the orientation cube at the bottom

constexpr double kCorner = 0.78;  // how far the body of an image extends to the corners of its box, about

/// Points around everything that a layer shows.
void addOutline(const SceneLayer& layer, std::vector<Vec3<double>>& points) {
  const auto sample = [&points](const auto& all) {
    const std::size_t step = std::max<std::size_t>(1, all.size() / 5000);
    for (std::size_t i = 0; i < all.size(); i += step) points.push_back({all[i].x, all[i].y, all[i].z});
  };
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.layer->content)) return sample(mesh->mesh->points);
  if (const auto* lines = std::get_if<TractsLayer>(&layer.layer->content))
    return sample(lines->tracts->points);
  const Grid* grid = gridOf(*layer.layer);
  if (!grid) return;
  const Vec3<double> half =
      0.5 * Vec3<double>{double(grid->size.x), double(grid->size.y), double(grid->size.z)};
  const Vec3<double> middle = half - Vec3<double>{0.5, 0.5, 0.5};
  const bool flat = grid->size.x == 1 || grid->size.y == 1 || grid->size.z == 1;
  const double reach = flat ? 1 : kCorner;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3<double> v = middle;
    for (int i = 0; i < 3; ++i) v[i] += (corner >> i & 1 ? reach : -reach) * half[i];
    points.push_back(grid->worldFromVoxel.point(v));
  }
  for (int i = 0; i < 3; ++i)
    for (const double side : {-1.0, 1.0}) {
      Vec3<double> v = middle;
      v[i] += side * half[i];
      points.push_back(grid->worldFromVoxel.point(v));
    }
}

}  // namespace

Scene3d::Scene3d(vtkRenderWindow* window)
    : window_(window),
      main_(vtkSmartPointer<vtkRenderer>::New()),
      key_(vtkSmartPointer<vtkLight>::New()),
      light_(vtkSmartPointer<vtkLight>::New()),
      camera_(main_),
      bodies_(main_),
      glyphs_(main_),
      bars_(main_),
      annotations_(main_),
      legend_(main_),
      mark_(main_),
      planes_(main_),
      cube_(window) {
  light_->SetLightTypeToHeadlight();
  main_->AddLight(light_);
  key_->SetLightTypeToCameraLight();
  key_->SetPosition(-0.6, 0.9, 1.1);  // relative to the view: to the right, up, towards the viewer
  key_->SetFocalPoint(0, 0, 0);
  main_->AddLight(key_);
  main_->SetMaximumNumberOfPeels(6);
  Scene3d::setStyles({});
  window_->AddRenderer(main_);
  cube_.attach();
  setPose({});
}

Scene3d::~Scene3d() { window_->RemoveRenderer(main_); }

void Scene3d::setLayers(std::vector<SceneLayer> layers) {
  layers_ = std::move(layers);
  surfaces_ = std::ranges::any_of(layers_, isMesh);
  setLights();
  cube_.setSidesAssumed(anySidesAssumed(layers_));
  bodies_.setLayers(layers_);
  glyphs_.setLayers(layers_);
  dropUnwanted(fields_, layers_, isField);
  dropUnwanted(meshes_, layers_, isMesh);
  dropUnwanted(landmarks_, layers_, [](const SceneLayer& layer) { return isLandmarks(*layer.layer); });
  for (const SceneLayer& layer : layers_)
    if (isMesh(layer)) actorFor(meshes_, layer, main_).show(layer);
  legend_.show(legendOf(layers_));
}

void Scene3d::setLights() {
  // A body has its own shading: with light from the side half of it would be dark.
  light_->SetIntensity((surfaces_ ? 0.55 : 1) * styles_.scene.light);
  key_->SetIntensity(surfaces_ ? 0.55 * styles_.scene.light : 0);
}

void Scene3d::setStyles(const Styles& styles) {
  styles_ = styles;
  setLights();
  switch (styles.scene.background) {
    case SceneStyle::Background::dark:
      return main_->SetBackground(0.06, 0.065, 0.08);
    case SceneStyle::Background::black:
      return main_->SetBackground(0, 0, 0);
    case SceneStyle::Background::white:
      return main_->SetBackground(1, 1, 1);
  }
}

LayerColors* Scene3d::barColorsOf(const SceneLayer& layer) const {
  if (!layer.display.colorBar || shownLabels(*layer.layer, layer.volume)) return nullptr;
  if (isBody(layer)) return bodies_.colorsOf(layer.id);
  if (shownScalars(*layer.layer, layer.volume)) return meshes_.at(layer.id)->colors();
  if (isTracts(layer)) return glyphs_.colorsOf(layer);
  if (!hasBar(layer, styles_.fields)) return nullptr;
  if (isPlane(layer)) return planes_.colorsOf(layer.id);
  const auto field = fields_.find(layer.id);
  return field == fields_.end() ? nullptr : field->second->colors();
}

std::optional<PickedPoint> Scene3d::pointAt(double x, double y) const {
  const auto [from, along] = camera_.sightAt(x, y);
  const Frame3d now = frame();
  std::optional<PickedPoint> nearest;
  double distance = 0;
  for (const SceneLayer& layer : layers_) {
    if (!isMesh(layer)) continue;
    const Mesh& mesh = meshes_.at(layer.id)->mesh();
    double cutAway = 0;  // along the line of sight
    if (const auto cut = now.cutOf(layer)) {
      const double before = dot(from - cut->point, cut->normal), nearing = -dot(along, cut->normal);
      if (before > 0 && nearing <= 0) continue;  // it stays in the half that is removed
      if (before > 0) cutAway = before / nearing;
    }
    const auto hit = firstHit(mesh, from + cutAway * along, along);
    if (!hit || (nearest && cutAway + hit->distance >= distance)) continue;
    const Vec3<float> p = mesh.points[std::size_t(hit->point)];
    nearest = PickedPoint{layer.id, hit->point, {p.x, p.y, p.z}};
    distance = cutAway + hit->distance;
  }
  return nearest;
}

std::optional<Scene3d::PickedRegion> Scene3d::regionAt(double x, double y) const {
  const auto [from, along] = camera_.sightAt(x, y);
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

bool Scene3d::isPlane(const SceneLayer& layer) const {
  return isPlaneImage(layer, styles_.fields) && (styles_.planesBesideSurfaces || !surfaces_) &&
         // They would be inside the body.
         !(isBody(layer) && layer.display.cut == Cut::nothing);
}

bool Scene3d::updateActors() {
  const Frame3d now = frame();
  std::vector<SceneLayer> images;
  std::ranges::copy_if(layers_, std::back_inserter(images),
                       [this](const SceneLayer& layer) { return isPlane(layer); });
  planes_.show(images, now, cutOfBodies(layers_));
  std::vector<CutPlane> planes;
  for (const Vec3<double>& normal : look_.turn.axes) planes.push_back({look_.crosshair, normal});
  const auto isShape = [this](const SceneLayer& layer) { return isFieldShape(layer, styles_.fields); };
  dropUnwanted(fields_, layers_, isShape);
  bool translucent = false;
  for (const SceneLayer& layer : layers_) {
    if (isShape(layer)) actorFor(fields_, layer, main_, false).show(layer, styles_.fields, planes);
    if (!isMesh(layer)) continue;
    meshes_.at(layer.id)->cut(now.cutOf(layer));
    translucent = translucent || layer.display.opacity < 1;
  }
  // Sorting by depth takes one pass for each layer of transparency: only if surfaces need it.
  main_->SetUseDepthPeeling(translucent && look_.onGpu);
  const bool coarse = bodies_.show(layers_, now);
  glyphs_.show(layers_, now);
  return coarse;
}

std::string Scene3d::glyphNote() const {
  return glyphs_.empty() ? fieldNote(fields_, styles_.fields) : glyphs_.note();
}

bool Scene3d::leavesOut() const {
  if (look_.rest || look_.still) return false;
  return (!bodies_.empty() && !look_.onGpu) || glyphs_.leavesOut();
}

void Scene3d::resetCamera() {
  camera_.fitShorterSide();
  updateActors();
  main_->ResetCamera();
  std::vector<Vec3<double>> points;
  for (const SceneLayer& layer : layers_)
    if (isMesh(layer) || !surfaces_ || styles_.planesBesideSurfaces) addOutline(layer, points);
  camera_.frame(points);
  main_->ResetCameraClippingRange();
}

void Scene3d::setFine(bool on) {
  main_->SetUseFXAA(on);
  const bool shades = on && surfaces_ && bodies_.empty();
  main_->SetUseSSAO(shades);
  if (!shades) return;
  double bounds[6];
  main_->ComputeVisiblePropBounds(bounds);
  const double size = std::hypot(bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4]);
  main_->SetSSAORadius(0.06 * size);
  main_->SetSSAOBias(0.002 * size);
  main_->SetSSAOKernelSize(look_.onGpu ? 96 : 32);
  main_->SetSSAOBlur(true);
}

void Scene3d::lookFromFront() { lookAlong({-0.55, 0.75, 0.4}, {0, 0, 1}); }

void Scene3d::lookAlong(const Vec3<double>& towardsCamera, const Vec3<double>& up) {
  // Not around the current focus, whose rounding errors would stay in the pose.
  setPose({towardsCamera, {}, up});
  resetCamera();
}

void Scene3d::lookFrom(char side) {
  const std::string sides = "LRPAIS";
  const std::size_t found = sides.find(side);
  if (found == std::string::npos) return;
  Vec3<double> direction;
  direction[int(found / 2)] = found % 2 ? 1 : -1;
  lookAlong(direction, found / 2 == 2 ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1});
}

void Scene3d::updateAnnotations() {
  annotations_.setText(Annotations::Corner::topLeft, look_.title);
  annotations_.setText(Annotations::Corner::bottomLeft, glyphNote());
  annotations_.setText(Annotations::Corner::warning, warningsOf(layers_));
  // Surfaces with the same colors share a bar; others have their own.
  std::vector<std::pair<std::string, Display>> shown;  // with the names of scalars
  const auto colorsOf = [&](const SceneLayer& layer) -> LayerColors* {
    LayerColors* const colors = look_.bars ? barColorsOf(layer) : nullptr;
    const auto* scalars = shownScalars(*layer.layer, layer.volume);
    if (!colors || !scalars) return colors;
    const bool known = std::ranges::any_of(shown, [&](const auto& other) {
      return other.first == scalars->first && other.second.range == layer.display.range &&
             other.second.colormap == layer.display.colormap &&
             other.second.negativeColormap == layer.display.negativeColormap;
    });
    if (known) return nullptr;
    shown.emplace_back(scalars->first, layer.display);
    return colors;
  };
  const int width = window_->GetSize()[0], height = window_->GetSize()[1];
  const int room = height - (look_.title.empty() ? 0 : Annotations::titleHeight(window_->GetDPI()));
  const bool across = ColorBar::isAcross(width, height);
  const double bars = bars_.show(layers_, colorsOf, {width, room, kCube, across});
  annotations_.layOut(width, height, across ? kCube + bars : 0);
  legend_.layOut(height, !look_.title.empty());
  mark_.setVisible(surfaces_ && look_.crosshairVisible);
  mark_.layOut(look_.crosshair);
  const auto project = [this](const Vec3<double>& world) { return camera_.pixelOf(world); };
  for (const SceneLayer& layer : layers_)
    if (isLandmarks(*layer.layer)) actorFor(landmarks_, layer, main_).show(layer, project);
  cube_.layOut(pose());
}

bool Scene3d::render() {
  camera_.fitShorterSide();
  const StageClock clock;
  const bool coarse = updateActors();
  updateAnnotations();
  main_->ResetCameraClippingRange();
  std::optional<DarkText> dark;
  if (styles_.scene.background == SceneStyle::Background::white) dark.emplace(window_);
  const bool turns = !(pose() == drawnPose_) && !look_.still;
  drawnPose_ = pose();
  const bool rough = turns && !look_.onGpu && surfaces_;
  setFine(!rough);
  const StageClock drawing;
  window_->Render();
  if (coarse) bodies_.recordCoarse(drawing.seconds());
  bool again = coarse || rough;
  if (glyphs_.isTimed()) {
    window_->WaitForCompletion();
    again = glyphs_.record(clock.seconds()) || again;
  }
  return again;
}

}  // namespace sulcus::ui::scene
