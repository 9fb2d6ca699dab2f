#include "ui/scene/slice_camera.h"

#include <algorithm>
#include <cmath>

namespace sulcus::ui::scene {

ScreenAxes sliceAxes(int normal, bool radiological) {
  const Vec3<double> patientLeft{-1, 0, 0};
  const Vec3<double> across = radiological ? patientLeft : -patientLeft;
  switch (normal) {
    case 2:
      return {across, {0, 1, 0}};
    case 1:
      return {across, {0, 0, 1}};
    default:
      return {{0, -1, 0}, {0, 0, 1}};
  }
}

char letterOf(const Vec3<double>& direction) {
  const double x = std::abs(direction.x), y = std::abs(direction.y), z = std::abs(direction.z);
  if (x >= y && x >= z) return direction.x > 0 ? 'R' : 'L';
  if (y >= z) return direction.y > 0 ? 'A' : 'P';
  return direction.z > 0 ? 'S' : 'I';
}

double SliceCamera::millimetresPerPixel() const { return extent / std::max(1, std::min(width, height)); }

Vec3<double> SliceCamera::focus() const {
  const Vec3<double> normal = axes.towardViewer();
  return centre + dot(plane - centre, normal) * normal;
}

Vec3<double> SliceCamera::worldAt(double x, double y) const {
  const double scale = millimetresPerPixel();
  return focus() + (scale * (x - 0.5 * width)) * axes.right + (scale * (y - 0.5 * height)) * axes.up;
}

Vec3<double> SliceCamera::pixelOf(const Vec3<double>& world) const {
  const Vec3<double> d = world - focus();
  const double scale = 1 / millimetresPerPixel();
  return {0.5 * width + scale * dot(d, axes.right), 0.5 * height + scale * dot(d, axes.up),
          dot(d, axes.towardViewer())};
}

}  // namespace sulcus::ui::scene
