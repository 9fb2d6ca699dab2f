#include "ui/model/views/lightbox.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>

namespace sulcus::ui::model {
namespace {

constexpr double kFloor = 0.2;    // fraction of the range: values below it are air
constexpr double kShare = 0.004;  // fraction of the voxels of a slice: fewer are noise

/// The voxel axis closest to the normal of the plane.
int voxelAxis(const Grid& grid, Plane plane) {
  const int normal = axisAcross(plane);
  int best = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(grid.worldFromVoxel.column(axis)[normal]) >
        std::abs(grid.worldFromVoxel.column(best)[normal]))
      best = axis;
  return best;
}

/// The number of voxels in each slice along an axis whose index satisfies a condition.
template <class Condition>
std::vector<std::int64_t> countSlices(const Grid& grid, int axis, Condition&& condition) {
  std::vector<std::int64_t> counts(std::size_t(grid.size[axis]));
  std::vector<std::vector<std::int64_t>> ofPlanes(std::size_t(grid.size.z), counts);
  parallelForBlocks(grid.size.z, 1, Progress(), [&](std::int64_t begin, std::int64_t end) {
    for (int z = int(begin); z < int(end); ++z)
      for (int y = 0; y < grid.size.y; ++y)
        for (int x = 0; x < grid.size.x; ++x)
          if (condition(grid.index(x, y, z)))
            ++ofPlanes[std::size_t(z)][std::size_t(Vec3<int>{x, y, z}[axis])];
  });
  for (const auto& plane : ofPlanes)
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += plane[i];
  return counts;
}

}  // namespace

SliceRange slicesWithContent(const Layer& layer, Plane plane) {
  const Grid* grid = gridOf(layer);
  if (!grid) return {};
  const int axis = voxelAxis(*grid, plane), slices = grid->size[axis];
  std::vector<std::int64_t> counts;
  double enough = 1;
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    counts =
        countSlices(*grid, axis, [&](std::int64_t i) { return labels->labels->values[std::size_t(i)] != 0; });
  } else if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) {
    const auto view = volume->series->volume(0);
    const Range range = automaticRange({view.data, std::size_t(view.voxels())});
    const float floor = float(range.low + kFloor * (range.high - range.low));
    counts = countSlices(*grid, axis, [&](std::int64_t i) { return view.data[i] > floor; });
    enough = std::max(1.0, kShare * double(grid->voxels()) / slices);
  } else {
    return {0, slices - 1};
  }
  const auto full = [&](std::int64_t count) { return double(count) >= enough; };
  const auto first = std::find_if(counts.begin(), counts.end(), full);
  if (first == counts.end()) return {0, slices - 1};
  const auto last = std::find_if(counts.rbegin(), counts.rend(), full);
  return {int(first - counts.begin()), int(counts.rend() - last) - 1};
}

std::vector<double> lightboxPlaces(const Layer& layer, Plane plane, SliceRange range, int most, int shift) {
  const Grid* grid = gridOf(layer);
  if (!grid || most < 1) return {};
  const int axis = voxelAxis(*grid, plane), slices = range.last - range.first + 1;
  const int count = std::min(most, slices);
  std::vector<double> places;
  for (int i = 0; i < count; ++i) {
    // The centers of this many equal parts of the range.
    const int slice = range.first + int((i + 0.5) * slices / count) + shift;
    if (slice < 0 || slice >= grid->size[axis]) continue;
    Vec3<double> v{0.5 * (grid->size.x - 1), 0.5 * (grid->size.y - 1), 0.5 * (grid->size.z - 1)};
    v[axis] = slice;
    places.push_back(grid->worldFromVoxel.point(v)[axisAcross(plane)]);
  }
  std::sort(places.begin(), places.end());
  return places;
}

LightboxLook fitted(LightboxLook look, int slices, int width, int height) {
  if (slices < 1 || slices >= look.columns * look.rows) return look;
  double largest = 0;
  for (int columns = 1; columns <= slices; ++columns) {
    const int rows = (slices + columns - 1) / columns;
    const double edge = std::min(double(width) / columns, double(height) / rows);
    if (edge > largest) largest = edge, look.columns = columns, look.rows = rows;
  }
  return look;
}

}  // namespace sulcus::ui::model
