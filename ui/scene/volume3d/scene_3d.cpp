#include "ui/scene/volume3d/scene_3d.h"

#include "core/base/stage_clock.h"
#include "core/image/table_places.h"
#include "ui/scene/common/dark_text.h"
#include "ui/scene/glyphs/glyphs.h"
#include "ui/scene/glyphs/lobes.h"
#include "ui/scene/tracts/tract_colors.h"
#include "ui/scene/volume3d/clipping.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <vtkAnnotatedCubeActor.h>
#include <vtkCamera.h>
#include <vtkLight.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

constexpr std::int64_t kVoxelsWithSticks = 20'000, kVoxelsWithLobes = 1'200;  // approximate initial number

constexpr double kMovingBody = 3;        // pixels per ray through a moving body
constexpr double kSecondsOfBody = 0.15;  // for one that has just stopped
constexpr double kRaysAtRest = 50000;    // minimum for a body soon after motion, however long they take
constexpr double kFineRays = 1e6;        // at rest, however long they take
constexpr double kFineStep = 0.2;        // of those rays, in voxels

constexpr double kCube = 64;  // points; the orientation cube at the bottom

constexpr double kFill = 0.94;    // fraction of the view that the objects fill
constexpr double kCorner = 0.78;  // how far the body of an image extends to the corners of its box, about

/// Points around everything that a layer shows.
void addOutline(const SceneLayer& layer, std::vector<Vec3<double>>& points) {
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.layer->content)) {
    const auto& all = mesh->mesh->points;
    const std::size_t step = std::max<std::size_t>(1, all.size() / 5000);
    for (std::size_t i = 0; i < all.size(); i += step) points.push_back({all[i].x, all[i].y, all[i].z});
    return;
  }
  if (const auto* lines = std::get_if<TractsLayer>(&layer.layer->content)) {
    const auto& all = lines->tracts->points;
    const std::size_t step = std::max<std::size_t>(1, all.size() / 5000);
    for (std::size_t i = 0; i < all.size(); i += step) points.push_back({all[i].x, all[i].y, all[i].z});
    return;
  }
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

Vec3<double> axis(int i) { return {double(i == 0), double(i == 1), double(i == 2)}; }

/// A cube whose faces name the sides of the patient, in the colors of fiber directions.
vtkSmartPointer<vtkAnnotatedCubeActor> orientationCube() {
  auto cube = vtkSmartPointer<vtkAnnotatedCubeActor>::New();
  cube->SetYPlusFaceText("A");
  cube->SetYMinusFaceText("P");
  cube->SetZPlusFaceText("S");
  cube->SetZMinusFaceText("I");
  cube->SetFaceTextScale(0.62);
  cube->SetZFaceTextRotation(90);  // upright when anterior is up
  cube->SetTextEdgesVisibility(false);
  cube->GetCubeProperty()->SetColor(0.26, 0.29, 0.35);
  cube->GetCubeProperty()->SetAmbient(0.4);
  struct Face {
    vtkProperty* property;
    double red, green, blue;
  };
  const Face faces[] = {
      {cube->GetXPlusFaceProperty(), 0.95, 0.55, 0.55}, {cube->GetXMinusFaceProperty(), 0.95, 0.55, 0.55},
      {cube->GetYPlusFaceProperty(), 0.5, 0.85, 0.55},  {cube->GetYMinusFaceProperty(), 0.5, 0.85, 0.55},
      {cube->GetZPlusFaceProperty(), 0.5, 0.55, 1},     {cube->GetZMinusFaceProperty(), 0.5, 0.55, 1}};
  for (const auto& [face, red, green, blue] : faces) {
    face->SetColor(red, green, blue);
    face->SetInterpolationToFlat();
    face->SetAmbient(1);
    face->SetDiffuse(0);
  }
  return cube;
}

}  // namespace

Scene3d::Scene3d(vtkRenderWindow* window)
    : window_(window),
      main_(vtkSmartPointer<vtkRenderer>::New()),
      marker_(vtkSmartPointer<vtkRenderer>::New()),
      key_(vtkSmartPointer<vtkLight>::New()),
      light_(vtkSmartPointer<vtkLight>::New()),
      cube_(orientationCube()),
      regions_(main_),
      annotations_(main_),
      legend_(main_),
      mark_(main_),
      planes_(main_) {
  window_->SetNumberOfLayers(2);
  light_->SetLightTypeToHeadlight();
  main_->AddLight(light_);
  key_->SetLightTypeToCameraLight();
  key_->SetPosition(-0.6, 0.9, 1.1);  // relative to the view: to the right, up, towards the viewer
  key_->SetFocalPoint(0, 0, 0);
  main_->AddLight(key_);
  setStyle({});
  marker_->SetLayer(1);
  marker_->InteractiveOff();
  marker_->AddViewProp(cube_);
  window_->AddRenderer(main_);
  window_->AddRenderer(marker_);
  setPose({});
}

Scene3d::~Scene3d() {
  window_->RemoveRenderer(marker_);
  window_->RemoveRenderer(main_);
}

void Scene3d::setLayers(std::vector<SceneLayer> layers) {
  layers_ = std::move(layers);
  bodiesChanged_ = true;
  surfaces_ = std::any_of(layers_.begin(), layers_.end(), isMesh);
  setLights();
  const bool assumed = anySidesAssumed(layers_);
  cube_->SetXPlusFaceText(assumed ? "R?" : "R");
  cube_->SetXMinusFaceText(assumed ? "L?" : "L");
  dropStale();
  updateMeshes();
}

void Scene3d::updateMeshes() {
  bool translucent = false;
  for (const SceneLayer& layer : layers_) {
    if (!isMesh(layer)) continue;
    auto& mesh = meshes_[layer.id];
    if (!mesh) mesh = std::make_unique<MeshActor>(main_);
    mesh->show(layer);
    translucent = translucent || layer.display.opacity < 1;
  }
  // Sorting by depth takes one pass for each layer of transparency: only if surfaces need it.
  main_->SetUseDepthPeeling(translucent && onGpu_);
  main_->SetMaximumNumberOfPeels(6);
  legend_.show(legendOf(layers_));
}

void Scene3d::setOnGpu(bool on) {
  if (std::exchange(onGpu_, on) == on) return;
  bodies_.clear();  // are cast differently
  updateMeshes();
}

void Scene3d::setTitle(const std::string& title) {
  title_ = title;
  annotations_.setText(Annotations::Corner::topLeft, title);
}

void Scene3d::setLights() {
  // A body has its own shading: with light from the side half of it would be dark.
  light_->SetIntensity((surfaces_ ? 0.55 : 1) * style_.light);
  key_->SetIntensity(surfaces_ ? 0.55 * style_.light : 0);
}

void Scene3d::setStyle(const SceneStyle& style) {
  style_ = style;
  setLights();
  switch (style.background) {
    case SceneStyle::Background::dark:
      return main_->SetBackground(0.06, 0.065, 0.08);
    case SceneStyle::Background::black:
      return main_->SetBackground(0, 0, 0);
    case SceneStyle::Background::white:
      return main_->SetBackground(1, 1, 1);
  }
}

void Scene3d::setPlanesBesideSurfaces(bool on) {
  if (on == planesBesideSurfaces_) return;
  planesBesideSurfaces_ = on;
  setLayers(std::move(layers_));
}

void Scene3d::setFieldStyle(const FieldStyle& style) {
  fieldStyle_ = style;
  dropStale();
}

void Scene3d::dropStale() {
  dropUnwanted(glyphs_, layers_, isPeaks);
  dropUnwanted(fields_, layers_,
               [this](const SceneLayer& layer) { return isFieldShape(layer, fieldStyle_); });
  dropUnwanted(meshes_, layers_, isMesh);
  dropUnwanted(tracts_, layers_, isTracts);
  dropUnwanted(landmarks_, layers_, [](const SceneLayer& layer) { return isLandmarks(*layer.layer); });
  dropUnwanted(bodies_, layers_, isBody);
}

LayerColors* Scene3d::barColorsOf(const SceneLayer& layer) const {
  if (!layer.display.colorBar || shownLabels(*layer.layer, layer.volume)) return nullptr;
  if (isBody(layer)) return bodies_.at(layer.id)->colors();
  if (shownScalars(*layer.layer, layer.volume)) return meshes_.at(layer.id)->colors();
  if (const auto lines = tracts_.find(layer.id); lines != tracts_.end())
    return layer.opacityImage || shownTractData(*layer.layer, layer.volume) ? lines->second->colors()
                                                                            : nullptr;
  if (!hasBar(layer, fieldStyle_)) return nullptr;
  if (isPlane(layer)) return planes_.colorsOf(layer.id);
  const auto field = fields_.find(layer.id);
  return field == fields_.end() ? nullptr : field->second->colors();
}

int Scene3d::layOutBars() {
  // Surfaces with the same colors share a bar; others have their own.
  std::vector<std::pair<std::string, Display>> shown;  // with the names of scalars
  dropUnwanted(bars_, layers_, [this](const SceneLayer& layer) { return barColorsOf(layer) != nullptr; });
  if (!hasBars_) bars_.clear();
  const int width = window_->GetSize()[0], height = window_->GetSize()[1];
  const int room = height - (title_.empty() ? 0 : Annotations::titleHeight(window_->GetDPI()));
  int lines = 0;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    LayerColors* const colors = barColorsOf(*layer);
    const auto* scalars = shownScalars(*layer->layer, layer->volume);
    const bool known = scalars && std::any_of(shown.begin(), shown.end(), [&](const auto& other) {
                         return other.first == scalars->first && other.second.range == layer->display.range &&
                                other.second.colormap == layer->display.colormap &&
                                other.second.negativeColormap == layer->display.negativeColormap;
                       });
    if (!colors || known || !hasBars_) {
      bars_.erase(layer->id);
      continue;
    }
    auto& bar = bars_[layer->id];
    if (!bar) bar = std::make_unique<ColorBar>(main_);
    bar->show(*layer, colors);
    lines += bar->layOut(width, room, int(shown.size()), kCube, ColorBar::isAcross(width, height), lines);
    shown.emplace_back(scalars ? scalars->first : "", layer->display);
  }
  return lines;
}

std::optional<PickedPoint> Scene3d::pointAt(double x, double y) const {
  const auto worldAt = [&](double depth) {
    main_->SetDisplayPoint(x, y, depth);
    main_->DisplayToWorld();
    const double* p = main_->GetWorldPoint();
    return 1 / p[3] * Vec3<double>{p[0], p[1], p[2]};
  };
  const Vec3<double> from = worldAt(0), along = normalized(worldAt(1) - from);
  std::optional<PickedPoint> nearest;
  double distance = 0;
  for (const SceneLayer& layer : layers_) {
    if (!isMesh(layer)) continue;
    const Mesh& mesh = meshes_.at(layer.id)->mesh();
    double cutAway = 0;  // along the line of sight
    if (const auto cut = cutOf(layer)) {
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

std::optional<CutPlane> Scene3d::cutOf(const SceneLayer& layer) const {
  const CameraPose now = pose();
  return cutPlane(layer.display.cut, crosshair_, turn_, now.position, normalized(now.focus - now.position));
}

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

void Scene3d::updatePlanes() {
  std::vector<SceneLayer> images;
  std::ranges::copy_if(layers_, std::back_inserter(images),
                       [this](const SceneLayer& layer) { return isPlane(layer); });
  planes_.show(images, {crosshair_, turn_, pose(), cutOfBodies(), budget_.isStill(), fieldStyle_});
}

void Scene3d::updateFields() {
  for (const SceneLayer& layer : layers_) {
    if (!isFieldShape(layer, fieldStyle_)) continue;
    auto& actor = fields_[layer.id];
    if (!actor) actor = std::make_unique<FieldActor>(main_, false);
    std::vector<CutPlane> planes;
    for (const Vec3<double>& normal : turn_.axes) planes.push_back({crosshair_, normal});
    actor->show(layer, fieldStyle_, planes);
  }
}

bool Scene3d::updateBodies() {
  const bool anew =
      bodiesChanged_ || !(pose() == bodyPose_) || !(crosshair_ == bodyCrosshair_) || turn_ != bodyTurn_;
  bodiesChanged_ = false;
  bodyPose_ = pose();
  bodyCrosshair_ = crosshair_;
  bodyTurn_ = turn_;
  const bool moves = anew && !budget_.isStill();
  for (const SceneLayer& layer : layers_) {
    if (!isBody(layer)) continue;
    auto& body = bodies_[layer.id];
    if (!body) body = std::make_unique<VolumeRendering>(main_, onGpu_);
    body->show(layer);
    body->setRays(raysOfBodies(moves));
    body->cutOctant(layer.display.cut == Cut::octant ? std::optional(crosshair_) : std::nullopt,
                    pose().position);
    body->cutHalf(cutOf(layer));
  }
  return moves && !bodies_.empty() && !onGpu_;
}

VolumeRendering::Rays Scene3d::raysOfBodies(bool moves) const {
  if (moves) return {.pixels = kMovingBody};
  if (budget_.isStill()) return {.step = kFineStep};
  if (!rest_) return {.pixels = finest_};
  const int* size = window_->GetSize();
  return {.pixels = std::max(1.0, std::sqrt(double(size[0]) * size[1] / kFineRays)), .step = kFineStep};
}

void Scene3d::updateGlyphs(const SceneLayer& layer) {
  auto& actor = glyphs_[layer.id];
  if (!actor) actor = std::make_unique<GlyphActor>(main_);
  const Grid& grid = *gridOf(*layer.layer);
  const bool lobes = drawsSurfaces(layer, glyphStyle_);
  std::vector<double> key;
  if (lobes) {
    key = {crosshair_.x, crosshair_.y, crosshair_.z};
    for (const Vec3<double>& normal : turn_.axes) key.insert(key.end(), {normal.x, normal.y, normal.z});
  }
  key.insert(key.end(), {double(budget_.isStill()), double(rest_)});
  const bool isNew = actor->show(layer, glyphStyle_, key, budget_.oneIn(), [&] {
    GlyphActor::Place place;
    if (drawsSticks(layer, glyphStyle_)) place.sticks = allVoxels(grid, budget_.oneIn());
    for (const Vec3<double>& normal : turn_.axes) {
      if (!lobes) break;
      const auto onPlane = thinned(grid, voxelsOnPlane(grid, crosshair_, normal), budget_.oneIn());
      place.lobes.insert(place.lobes.end(), onPlane.begin(), onPlane.end());
    }
    std::sort(place.lobes.begin(), place.lobes.end());
    place.lobes.erase(std::unique(place.lobes.begin(), place.lobes.end()), place.lobes.end());
    const bool isFew = budget_.oneIn() == 1 && place.lobes.size() < 2000;  // if there are many, none is large
    place.lobeLevel = isFew ? 2 : 1;
    if (budget_.isStill()) place.lobeLevel = kFinestLevel;
    if (rest_ && !budget_.isStill())
      place.lobeLevel = finestLevelOf(std::int64_t(place.lobes.size()), kTrianglesAtRest, kFinestLevel);
    return place;
  });
  if (isNew) budget_.expectNew();
}

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

void Scene3d::updateAllGlyphs() {
  // Large results start thinned, so that building them is quick; the budget shows more when there is time.
  std::int64_t sticks = 0, lobes = 0;
  for (const SceneLayer& layer : layers_) {
    if (!isPeaks(layer)) continue;
    const Vec3<int> size = gridOf(*layer.layer)->size;
    if (drawsSticks(layer, glyphStyle_)) sticks += gridOf(*layer.layer)->voxels();
    if (drawsSurfaces(layer, glyphStyle_))
      lobes += std::int64_t(size.x) * size.y + std::int64_t(size.y) * size.z + std::int64_t(size.z) * size.x;
  }
  const std::int64_t segments = segmentsToDraw();
  const SegmentLimits& limits = onGpu_ ? kLimitsOfGpu : kLimitsOfProcessor;
  const int begin = int(1 + sticks / kVoxelsWithSticks + lobes / kVoxelsWithLobes +
                        segments / (drags() ? limits.whileDragged : limits.atFirst));
  if (begin != begin_) budget_.reset(begin);
  begin_ = begin;
  const auto atRest = int(segments / limits.atRest);
  budget_.rest(rest_ ? oneInAtRest(sticks, lobes) + atRest : 0);
  updateTracts();
  for (const SceneLayer& layer : layers_)
    if (isPeaks(layer)) updateGlyphs(layer);
}

bool Scene3d::leavesOut() const {
  if (rest_ || budget_.isStill()) return false;
  if (!bodies_.empty() && !onGpu_) return true;
  if (glyphs_.empty() && tracts_.empty()) return false;
  if (budget_.oneIn() > 1) return true;
  return std::ranges::any_of(layers_, [this](const SceneLayer& layer) {
    return isPeaks(layer) && drawsSurfaces(layer, glyphStyle_) && glyphs_.contains(layer.id) &&
           glyphs_.at(layer.id)->lobeLevel() < kFinestLevel;
  });
}

CameraPose Scene3d::pose() const {
  vtkCamera* camera = main_->GetActiveCamera();
  const auto vec = [](const double* p) { return Vec3<double>{p[0], p[1], p[2]}; };
  return {vec(camera->GetPosition()), vec(camera->GetFocalPoint()), vec(camera->GetViewUp())};
}

void Scene3d::setPose(const CameraPose& pose) {
  vtkCamera* camera = main_->GetActiveCamera();
  camera->SetPosition(pose.position.x, pose.position.y, pose.position.z);
  camera->SetFocalPoint(pose.focus.x, pose.focus.y, pose.focus.z);
  camera->SetViewUp(pose.up.x, pose.up.y, pose.up.z);
}

void Scene3d::fitShorterSide() {
  const int* size = window_->GetSize();
  main_->GetActiveCamera()->SetUseHorizontalViewAngle(size[0] < size[1]);
}

void Scene3d::resetCamera() {
  fitShorterSide();
  updatePlanes();
  updateFields();
  updateBodies();
  updateAllGlyphs();
  main_->ResetCamera();
  fitCamera();
  main_->ResetCameraClippingRange();
}

void Scene3d::fitCamera() {
  std::vector<Vec3<double>> points;
  for (const SceneLayer& layer : layers_)
    if (isMesh(layer) || !surfaces_ || planesBesideSurfaces_) addOutline(layer, points);
  if (points.empty()) return;
  const CameraPose now = pose();
  const Vec3<double> back = normalized(now.position - now.focus);
  const Vec3<double> right = normalized(cross(now.up, back)), up = cross(back, right);
  double lowest[3], highest[3];
  const Vec3<double> axes[3] = {right, up, back};
  for (int i = 0; i < 3; ++i) {
    lowest[i] = highest[i] = dot(points.front(), axes[i]);
    for (const Vec3<double>& p : points) {
      lowest[i] = std::min(lowest[i], dot(p, axes[i]));
      highest[i] = std::max(highest[i], dot(p, axes[i]));
    }
  }
  Vec3<double> focus;
  for (int i = 0; i < 3; ++i) focus = focus + 0.5 * (lowest[i] + highest[i]) * axes[i];
  // The angle is that of the shorter side.
  const double slope =
      kFill * std::tan(0.5 * main_->GetActiveCamera()->GetViewAngle() * std::numbers::pi / 180);
  double distance = 0;
  for (const Vec3<double>& p : points) {
    const Vec3<double> d = p - focus;
    const double aside = std::max(std::abs(dot(d, right)), std::abs(dot(d, up)));
    distance = std::max(distance, dot(d, back) + aside / slope);
  }
  if (distance > 0) setPose({focus + distance * back, focus, up});
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
  main_->SetSSAOKernelSize(onGpu_ ? 96 : 32);
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
  const Vec3<double> direction = (found % 2 ? 1.0 : -1.0) * axis(int(found / 2));
  lookAlong(direction, found / 2 == 2 ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1});
}

void Scene3d::updateLandmarks() {
  const CameraPose now = pose();
  const auto project = [&](const Vec3<double>& world) {
    main_->SetWorldPoint(world.x, world.y, world.z, 1);
    main_->WorldToDisplay();
    const double* seen = main_->GetDisplayPoint();
    return Vec3<double>{seen[0], seen[1],
                        dot(world - now.position, now.focus - now.position) > 0 ? 1.0 : 0.0};
  };
  for (const SceneLayer& layer : layers_) {
    if (!isLandmarks(*layer.layer)) continue;
    auto& marks = landmarks_[layer.id];
    if (!marks) marks = std::make_unique<LandmarkMarks>(main_);
    marks->show(layer, project);
  }
}

void Scene3d::placeCube() {
  const int* size = window_->GetSize();
  const double edge = 56.0 * window_->GetDPI() / 72;
  marker_->SetViewport(std::max(0.0, 1 - edge / std::max(1, size[0])), 0, 1,
                       std::min(1.0, edge / std::max(1, size[1])));
  const CameraPose now = pose();
  const Vec3<double> eye = 4.6 * normalized(now.position - now.focus);
  vtkCamera* camera = marker_->GetActiveCamera();
  camera->SetFocalPoint(0, 0, 0);
  camera->SetPosition(eye.x, eye.y, eye.z);
  camera->SetViewUp(now.up.x, now.up.y, now.up.z);
  camera->SetClippingRange(1, 10);
}

bool Scene3d::render() {
  fitShorterSide();
  const StageClock clock;
  updatePlanes();
  updateFields();
  for (const SceneLayer& layer : layers_)
    if (isMesh(layer)) meshes_.at(layer.id)->cut(cutOf(layer));
  const bool coarse = updateBodies();
  updateAllGlyphs();
  annotations_.setText(Annotations::Corner::bottomLeft, glyphNote());
  annotations_.setText(Annotations::Corner::warning, warningsOf(layers_));
  const int width = window_->GetSize()[0], height = window_->GetSize()[1];
  const bool across = ColorBar::isAcross(width, height);
  const int lines = layOutBars(), bars = int(bars_.size());
  annotations_.layOut(width, height, across ? kCube + ColorBar::heightAcross(bars, lines) : 0);
  legend_.layOut(height, !title_.empty());
  mark_.setVisible(surfaces_ && crosshairVisible_);
  mark_.layOut(crosshair_);
  updateLandmarks();
  placeCube();
  main_->ResetCameraClippingRange();
  std::optional<DarkText> dark;
  if (style_.background == SceneStyle::Background::white) dark.emplace(window_);
  const bool turns = !(pose() == drawnPose_) && !budget_.isStill();
  drawnPose_ = pose();
  const bool rough = turns && !onGpu_ && surfaces_;
  setFine(!rough);
  const StageClock drawing;
  window_->Render();
  if (coarse) {  // rays for all pixels would take correspondingly longer
    const double all = drawing.seconds() * kMovingBody * kMovingBody;
    const double few = std::sqrt(double(width) * height / kRaysAtRest);
    finest_ = std::clamp(std::sqrt(all / kSecondsOfBody), 1.0, std::clamp(few, 1.0, kMovingBody));
  }
  const bool mayThin = isWorthThinning(glyphs_) || isWorthThinning(tracts_);
  if ((!mayThin && budget_.oneIn() == 1) || drags()) return coarse || rough;
  window_->WaitForCompletion();
  return budget_.record(clock.seconds(), mayThin) || coarse || rough;
}

}  // namespace sulcus::ui::scene
