#include "ui/scene/slices/plane_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sulcus::ui::scene {
namespace {

/// The minimum and maximum coordinates of a grid along the axes of the screen, mm.
std::pair<std::array<double, 2>, std::array<double, 2>> boundsOf(const Grid& grid, const ScreenAxes& axes) {
  std::array<double, 2> low = {1e300, 1e300}, high = {-1e300, -1e300};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3<double> v;
    for (int axis = 0; axis < 3; ++axis) v[axis] = corner >> axis & 1 ? grid.size[axis] - 0.5 : -0.5;
    const Vec3<double> p = grid.worldFromVoxel.point(v);
    const double place[2] = {dot(p, axes.right), dot(p, axes.up)};
    for (std::size_t i : {0, 1}) low[i] = std::min(low[i], place[i]), high[i] = std::max(high[i], place[i]);
  }
  return {low, high};
}

}  // namespace

PlaneRaster rasterOf(const SliceCamera& camera, const Grid& grid, int most) {
  const double scale = camera.millimetersPerPixel();
  const auto [low, high] = boundsOf(grid, camera.axes);
  const Vec3<double> corner = camera.worldAt(0, 0);
  const double at[2] = {dot(corner, camera.axes.right), dot(corner, camera.axes.up)};
  const int size[2] = {camera.width, camera.height};
  int begin[2], end[2];
  for (std::size_t i : {0, 1}) {
    begin[i] = int(std::clamp(std::floor((low[i] - at[i]) / scale), 0.0, double(size[i])));
    end[i] = int(std::clamp(std::ceil((high[i] - at[i]) / scale), double(begin[i]), double(size[i])));
  }
  const double pixels = double(end[0] - begin[0]) * (end[1] - begin[1]);
  const int coarser = std::max(1, int(std::ceil(std::sqrt(pixels / most))));
  const double step = scale * coarser;
  return {camera.worldAt(begin[0] + 0.5 * coarser, begin[1] + 0.5 * coarser), step * camera.axes.right,
          step * camera.axes.up, (end[0] - begin[0] + coarser - 1) / coarser,
          (end[1] - begin[1] + coarser - 1) / coarser};
}

PlaneRaster rasterOf(const std::vector<const Grid*>& grids, const ScreenAxes& axes, const Vec3<double>& point,
                     int perVoxel) {
  double shortest = 1e300, low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (const Grid* grid : grids) {
    const Vec3<double> spacing = grid->spacing();
    shortest = std::min({shortest, spacing.x, spacing.y, spacing.z});
    const auto [least, most] = boundsOf(*grid, axes);
    for (std::size_t i : {0, 1}) low[i] = std::min(low[i], least[i]), high[i] = std::max(high[i], most[i]);
  }
  const double most = perVoxel > 1 ? 700 : 400;  // pixels along an edge
  const Vec3<double> out = axes.towardViewer();
  const double step = std::max(shortest / perVoxel, std::max(high[0] - low[0], high[1] - low[1]) / most);
  return {(low[0] + 0.5 * step) * axes.right + (low[1] + 0.5 * step) * axes.up + dot(point, out) * out,
          step * axes.right, step * axes.up, std::max(1, int(std::lround((high[0] - low[0]) / step))),
          std::max(1, int(std::lround((high[1] - low[1]) / step)))};
}

}  // namespace sulcus::ui::scene
