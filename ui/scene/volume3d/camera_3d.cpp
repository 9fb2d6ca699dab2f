#include "ui/scene/volume3d/camera_3d.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <vtkCamera.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

constexpr double kFill = 0.94;  // fraction of the view that the objects fill

Vec3<double> vec(const double* p) { return {p[0], p[1], p[2]}; }

}  // namespace

CameraPose Camera3d::pose() const {
  vtkCamera* camera = renderer_->GetActiveCamera();
  return {vec(camera->GetPosition()), vec(camera->GetFocalPoint()), vec(camera->GetViewUp())};
}

void Camera3d::setPose(const CameraPose& pose) {
  vtkCamera* camera = renderer_->GetActiveCamera();
  camera->SetPosition(pose.position.x, pose.position.y, pose.position.z);
  camera->SetFocalPoint(pose.focus.x, pose.focus.y, pose.focus.z);
  camera->SetViewUp(pose.up.x, pose.up.y, pose.up.z);
}

void Camera3d::fitShorterSide() {
  const int* size = renderer_->GetRenderWindow()->GetSize();
  renderer_->GetActiveCamera()->SetUseHorizontalViewAngle(size[0] < size[1]);
}

void Camera3d::frame(const std::vector<Vec3<double>>& points) {
  if (points.empty()) return;
  const CameraPose now = pose();
  const Vec3<double> back = normalized(now.position - now.focus);
  const Vec3<double> right = normalized(cross(now.up, back)), up = cross(back, right);
  Vec3<double> focus;
  for (const Vec3<double>& axis : {right, up, back}) {
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (const Vec3<double>& p : points) {
      lowest = std::min(lowest, dot(p, axis));
      highest = std::max(highest, dot(p, axis));
    }
    focus = focus + 0.5 * (lowest + highest) * axis;
  }
  // The angle is that of the shorter side.
  const double slope =
      kFill * std::tan(0.5 * renderer_->GetActiveCamera()->GetViewAngle() * std::numbers::pi / 180);
  double distance = 0;
  for (const Vec3<double>& p : points) {
    const Vec3<double> d = p - focus;
    const double aside = std::max(std::abs(dot(d, right)), std::abs(dot(d, up)));
    distance = std::max(distance, dot(d, back) + aside / slope);
  }
  if (distance > 0) setPose({focus + distance * back, focus, up});
}

Vec3<double> Camera3d::worldAt(double x, double y, double depth) const {
  renderer_->SetDisplayPoint(x, y, depth);
  renderer_->DisplayToWorld();
  const double* p = renderer_->GetWorldPoint();
  return 1 / p[3] * vec(p);
}

Vec3<double> Camera3d::displayOf(const Vec3<double>& world) const {
  renderer_->SetWorldPoint(world.x, world.y, world.z, 1);
  renderer_->WorldToDisplay();
  return vec(renderer_->GetDisplayPoint());
}

Camera3d::Sight Camera3d::sightAt(double x, double y) const {
  const Vec3<double> from = worldAt(x, y, 0);
  return {from, normalized(worldAt(x, y, 1) - from)};
}

Vec3<double> Camera3d::placeAt(double x, double y, const Vec3<double>& like) const {
  return worldAt(x, y, displayOf(like).z);
}

Vec3<double> Camera3d::pixelOf(const Vec3<double>& world) const {
  const CameraPose now = pose();
  const Vec3<double> seen = displayOf(world);
  return {seen.x, seen.y, dot(world - now.position, now.focus - now.position) > 0 ? 1.0 : 0.0};
}

}  // namespace sulcus::ui::scene
