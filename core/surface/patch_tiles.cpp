#include "core/surface/patch_tiles.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace sulcus::surface {
namespace {

using Point = std::array<float, kLeadingAxes>;

/// Sorts elements [begin, end) so that each run of kTileElements is a leaf of a k-d tree. A node is split
/// near the median of its widest axis, so that the first half is a whole number of tiles.
void sortIntoLeaves(std::vector<std::int32_t>& elements, const std::vector<Point>& points, std::int64_t begin,
                    std::int64_t end) {
  if (end - begin <= kTileElements) return;
  Point low, high;
  low.fill(std::numeric_limits<float>::infinity());
  high.fill(-std::numeric_limits<float>::infinity());
  for (std::int64_t i = begin; i < end; ++i)
    for (int a = 0; a < kLeadingAxes; ++a) {
      const float value = points[elements[i]][a];
      low[a] = std::min(low[a], value);
      high[a] = std::max(high[a], value);
    }
  std::size_t widest = 0;
  for (std::size_t a = 1; a < kLeadingAxes; ++a)
    if (high[a] - low[a] > high[widest] - low[widest]) widest = a;
  const std::int64_t tiles = (end - begin + kTileElements - 1) / kTileElements;
  const std::int64_t middle = begin + tiles / 2 * kTileElements;
  std::nth_element(elements.begin() + begin, elements.begin() + middle, elements.begin() + end,
                   [&](std::int32_t a, std::int32_t b) {
                     const float pa = points[a][widest], pb = points[b][widest];
                     return pa != pb ? pa < pb : a < b;
                   });
  sortIntoLeaves(elements, points, begin, middle);
  sortIntoLeaves(elements, points, middle, end);
}

}  // namespace

PatchTiles tilesOf(const Patches& patches, int side, const Progress& progress) {
  const int size = patches.size;
  const std::int64_t n = std::int64_t(patches.values.size()) / size;
  const std::vector<double> axes = patchAxes(side);
  std::vector<Point> points(n);
  parallelFor(n, progress, [&](std::int64_t e) {
    const float* const patch = patches.of(e);
    for (int a = 0; a < kLeadingAxes; ++a) {
      double coordinate = 0;
      for (int i = 0; i < size; ++i) coordinate += axes[a * size + i] * patch[i];
      points[e][a] = float(coordinate);
    }
  });
  std::vector<std::int32_t> elements(n);
  std::iota(elements.begin(), elements.end(), 0);
  sortIntoLeaves(elements, points, 0, n);

  PatchTiles tiles;
  const std::int64_t count = (n + kTileElements - 1) / kTileElements;
  elements.resize(count * kTileElements, -1);
  tiles.coordinates.assign(count * kTileElements * kLeadingAxes, std::numeric_limits<float>::infinity());
  tiles.boxes.resize(count);
  float largest = 0;
  for (std::int64_t t = 0; t < count; ++t) {
    auto& box = tiles.boxes[t];
    std::ranges::fill(box.low, std::numeric_limits<float>::infinity());
    std::ranges::fill(box.high, -std::numeric_limits<float>::infinity());
    for (int i = 0; i < kTileElements; ++i) {
      const std::int32_t e = elements[t * kTileElements + i];
      if (e < 0) continue;
      for (std::size_t a = 0; a < kLeadingAxes; ++a) {
        const float value = points[e][a];
        tiles.coordinates[std::size_t(t * kLeadingAxes + std::int64_t(a)) * kTileElements + std::size_t(i)] =
            value;
        box.low[a] = std::min(box.low[a], value);
        box.high[a] = std::max(box.high[a], value);
        largest = std::max(largest, std::abs(value));
      }
    }
  }
  tiles.elements = std::move(elements);
  tiles.rounding = axisRounding(largest);
  return tiles;
}

}  // namespace sulcus::surface
