#include "core/io/dicom/uneven_slices.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>

namespace sulcus::io {
namespace {

constexpr double kMostSlices = 3;   // times the number in the series
constexpr double kUnshifted = 0.1;  // of a voxel: smaller shifts are ignored

/// The position of a slice: the fraction of the way from the first to the last, and its in-plane shift,
/// voxels.
struct SlicePlace {
  double along = 0, x = 0, y = 0;
};

std::vector<SlicePlace> placesOn(const Affine& map, const Vec3<double>& line,
                                 const std::vector<Vec3<double>>& origins) {
  const Vec3<double> columns = map.column(0), rows = map.column(1), normal = cross(columns, rows);
  const auto shift = [](double voxels) { return std::abs(voxels) < kUnshifted ? 0 : voxels; };
  std::vector<SlicePlace> places;
  for (const Vec3<double>& origin : origins) {
    const Vec3<double> way = origin - origins.front();
    const double along = dot(normal, way) / dot(normal, line);
    const Vec3<double> off = way - along * line;
    places.push_back(
        {along, shift(dot(off, columns) / dot(columns, columns)), shift(dot(off, rows) / dot(rows, rows))});
  }
  return places;
}

/// The number of even slices that preserves the finest spacing, ignoring spacings that would require too
/// many.
int evenSlices(const std::vector<SlicePlace>& places) {
  std::vector<double> steps;
  for (std::size_t p = 1; p < places.size(); ++p) steps.push_back(places[p].along - places[p - 1].along);
  std::ranges::sort(steps);
  const double most = kMostSlices * double(places.size()) - 1;
  const auto finest = std::ranges::find_if(steps, [&](double step) { return step * most >= 1; });
  return int(std::lround(1 / *finest)) + 1;
}

/// Adds a picture, shifted within its plane, with the weight `weight`.
void addShifted(const float* picture, const Vec3<int>& size, const SlicePlace& place, double weight,
                float* to) {
  const int dx = int(std::floor(-place.x)), dy = int(std::floor(-place.y));
  const float fx = float(-place.x - dx), fy = float(-place.y - dy), w = float(weight);
  for (int y = 0; y < size.y; ++y) {
    const float* const low = picture + std::ptrdiff_t(std::clamp(y + dy, 0, size.y - 1)) * size.x;
    const float* const high = picture + std::ptrdiff_t(std::clamp(y + dy + 1, 0, size.y - 1)) * size.x;
    for (int x = 0; x < size.x; ++x) {
      const int left = std::clamp(x + dx, 0, size.x - 1), right = std::clamp(x + dx + 1, 0, size.x - 1);
      const float above = (1 - fx) * low[left] + fx * low[right],
                  below = (1 - fx) * high[left] + fx * high[right];
      to[std::ptrdiff_t(y) * size.x + x] += w * ((1 - fy) * above + fy * below);
    }
  }
}

}  // namespace

Series<float> onEvenSlices(const Series<float>& series, const std::vector<Vec3<double>>& origins) {
  Grid grid = series.grid;
  Affine& map = grid.worldFromVoxel;
  const Vec3<double> line = double(grid.size.z - 1) * map.column(2);
  const std::vector<SlicePlace> places = placesOn(map, line, origins);
  const int slices = evenSlices(places);
  grid.size.z = slices;
  const Vec3<double> step = (1.0 / (slices - 1)) * line;
  for (int world = 0; world < 3; ++world) map.m[world][2] = step[world];
  Series<float> even(grid, series.count);
  const std::ptrdiff_t pixels = std::ptrdiff_t(grid.size.x) * grid.size.y;
  parallelFor(std::int64_t(slices) * series.count, 1, {}, [&](std::int64_t one) {
    const int v = int(one / slices), slice = int(one % slices);
    const double along = double(slice) / (slices - 1);
    const auto above = std::ranges::find_if(places, [&](const SlicePlace& p) { return p.along >= along; });
    const std::size_t high = std::min(std::size_t(above - places.begin()), places.size() - 1),
                      low = high > 0 ? high - 1 : 0;
    const double way = places[high].along - places[low].along,
                 share = way > 0 ? std::clamp((along - places[low].along) / way, 0.0, 1.0) : 1;
    const float* const from = series.volume(v).data;
    float* const to = even.volume(v).data + slice * pixels;
    if (share < 1) addShifted(from + std::ptrdiff_t(low) * pixels, grid.size, places[low], 1 - share, to);
    if (share > 0) addShifted(from + std::ptrdiff_t(high) * pixels, grid.size, places[high], share, to);
  });
  return even;
}

}  // namespace sulcus::io
