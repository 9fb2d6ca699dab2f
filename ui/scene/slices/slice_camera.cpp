#include "ui/scene/slices/slice_camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace sulcus::ui::scene {

namespace {

ScreenAxes straightAxes(int normal, bool radiological) {
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

}  // namespace

ScreenAxes sliceAxes(int normal, bool radiological, const SliceTurn& turn) {
  const ScreenAxes axes = straightAxes(normal, radiological);
  return {turn.of(axes.right), turn.of(axes.up)};
}

std::string lettersOf(const Vec3<double>& direction) {
  constexpr double kLeast = 0.125;
  std::array<std::pair<double, char>, 3> parts{{{std::abs(direction.x), direction.x > 0 ? 'R' : 'L'},
                                                {std::abs(direction.y), direction.y > 0 ? 'A' : 'P'},
                                                {std::abs(direction.z), direction.z > 0 ? 'S' : 'I'}}};
  std::ranges::stable_sort(parts, std::greater(), [](const auto& part) { return part.first; });
  std::string letters;
  for (const auto& [part, letter] : parts)
    if (part >= kLeast) letters += letter;
  return letters;
}

double SliceCamera::millimetersPerPixel() const { return extent / std::max(1, std::min(width, height)); }

Vec3<double> SliceCamera::focus() const {
  const Vec3<double> normal = axes.towardViewer();
  return center + dot(plane - center, normal) * normal;
}

Vec3<double> SliceCamera::worldAt(double x, double y) const {
  const double scale = millimetersPerPixel();
  return focus() + (scale * (x - 0.5 * width)) * axes.right + (scale * (y - 0.5 * height)) * axes.up;
}

Vec3<double> SliceCamera::pixelOf(const Vec3<double>& world) const {
  const Vec3<double> d = world - focus();
  const double scale = 1 / millimetersPerPixel();
  return {0.5 * width + scale * dot(d, axes.right), 0.5 * height + scale * dot(d, axes.up),
          dot(d, axes.towardViewer())};
}

}  // namespace sulcus::ui::scene
