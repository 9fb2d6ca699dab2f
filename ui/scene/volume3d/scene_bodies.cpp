#include "ui/scene/volume3d/scene_bodies.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

constexpr double kMovingBody = 3;        // pixels per ray through a moving body
constexpr double kSecondsOfBody = 0.15;  // for one that has just stopped
constexpr double kRaysAtRest = 50000;    // minimum for a body soon after motion, however long they take
constexpr double kFineRays = 1e6;        // at rest, however long they take
constexpr double kFineStep = 0.2;        // of those rays, in voxels

}  // namespace

void SceneBodies::setLayers(const std::vector<SceneLayer>& layers) {
  changed_ = true;
  dropUnwanted(bodies_, layers, isBody);
}

double SceneBodies::pixels() const {
  const int* size = renderer_->GetRenderWindow()->GetSize();
  return double(size[0]) * size[1];
}

bool SceneBodies::show(const std::vector<SceneLayer>& layers, const Frame3d& frame) {
  const Look3d& look = frame.look;
  if (std::exchange(onGpu_, look.onGpu) != look.onGpu) bodies_.clear();  // they are cast differently
  const bool anew =
      changed_ || !(frame.pose == pose_) || !(look.crosshair == crosshair_) || look.turn != turn_;
  changed_ = false;
  pose_ = frame.pose;
  crosshair_ = look.crosshair;
  turn_ = look.turn;
  const bool moves = anew && !look.still;
  for (const SceneLayer& layer : layers) {
    if (!isBody(layer)) continue;
    VolumeRendering& body = actorFor(bodies_, layer, renderer_, onGpu_);
    body.show(layer);
    body.setRays(raysOf(look, moves));
    body.cutOctant(layer.display.cut == Cut::octant ? std::optional(look.crosshair) : std::nullopt,
                   frame.pose.position);
    body.cutHalf(frame.cutOf(layer));
  }
  return moves && !bodies_.empty() && !onGpu_;
}

VolumeRendering::Rays SceneBodies::raysOf(const Look3d& look, bool moves) const {
  if (moves) return {.pixels = kMovingBody};
  if (look.still) return {.step = kFineStep};
  if (!look.rest) return {.pixels = finest_};
  return {.pixels = std::max(1.0, std::sqrt(pixels() / kFineRays)), .step = kFineStep};
}

void SceneBodies::recordCoarse(double seconds) {
  // Rays for all pixels would take correspondingly longer.
  const double all = seconds * kMovingBody * kMovingBody, few = std::sqrt(pixels() / kRaysAtRest);
  finest_ = std::clamp(std::sqrt(all / kSecondsOfBody), 1.0, std::clamp(few, 1.0, kMovingBody));
}

Cut cutOfBodies(const std::vector<SceneLayer>& layers) {
  const auto body = std::ranges::find_if(
      layers, [](const SceneLayer& layer) { return isBody(layer) && layer.display.cut != Cut::nothing; });
  return body == layers.end() ? Cut::nothing : body->display.cut;
}

}  // namespace sulcus::ui::scene
