#include "ui/model/views/movie.h"

#include "core/image/grids/grid_corners.h"
#include "ui/model/layers/readout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sulcus::ui::model {
namespace {

Vec3<double> turnedAboutZ(const Vec3<double>& v, double angle) {
  return {std::cos(angle) * v.x - std::sin(angle) * v.y, std::sin(angle) * v.x + std::cos(angle) * v.y, v.z};
}

/// The minimum and maximum coordinate of voxel centers along a unit vector.
Range extentAlong(const Grid& grid, const Vec3<double>& normal) {
  Range range{1e300, -1e300};
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3<double> p = grid.worldFromVoxel.point(cornerOf(grid.size, corner));
    range = {std::min(range.low, dot(p, normal)), std::max(range.high, dot(p, normal))};
  }
  return range;
}

}  // namespace

std::vector<CameraVectors> turntable(const CameraVectors& camera, int frames) {
  const auto& [position, focus, up] = camera;
  std::vector<CameraVectors> cameras;
  for (int i = 0; i < frames; ++i) {
    const double angle = 2 * std::numbers::pi * i / frames;
    cameras.push_back({focus + turnedAboutZ(position - focus, angle), focus, turnedAboutZ(up, angle)});
  }
  return cameras;
}

std::vector<Vec3<double>> sweep(const Grid& grid, const Vec3<double>& normal, const Vec3<double>& crosshair,
                                int frames) {
  const Range range = extentAlong(grid, normal);
  std::vector<Vec3<double>> places;
  for (int i = 0; i < frames; ++i) {
    const double place = range.low + (range.high - range.low) * i / std::max(frames - 1, 1);
    places.push_back(crosshair + (place - dot(crosshair, normal)) * normal);
  }
  return places;
}

std::vector<int> countUp(int first, int last, int frames) {
  std::vector<int> numbers;
  for (int i = 0; i < frames; ++i)
    numbers.push_back(first + int(std::lround(double(last - first) * i / std::max(frames - 1, 1))));
  return numbers;
}

int slicesAcross(const Layer& image, const Vec3<double>& normal) {
  const Grid* grid = gridOf(image);
  if (!grid) return 0;
  const Range range = extentAlong(*grid, normal);
  return int(std::lround((range.high - range.low) / sliceStep(image, normal))) + 1;
}

}  // namespace sulcus::ui::model
