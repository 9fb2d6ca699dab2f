#include "core/bids/report/slices.h"

#include "core/image/grids/value_check.h"
#include "core/image/layer.h"
#include "core/math/strided_sample.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sulcus::bids {
namespace {

constexpr int kSlices = 7, kCell = 132;  ///< pictures per row, and the longest side of one in pixels

/// The voxel axis that runs along a world axis, and whether it is reversed.
struct Axis {
  int voxel = 0;
  bool reversed = false;
};

/// The axes of the grid that run to the right, to the front and to the head.
std::array<Axis, 3> axesOf(const Grid& grid) {
  const std::string code = orientationCode(grid);
  std::array<Axis, 3> axes;
  for (int i = 0; i < 3; ++i) {
    const auto at = std::string("RAS").find(code[std::size_t(i)]);
    const auto reversed = std::string("LPI").find(code[std::size_t(i)]);
    if (at != std::string::npos) axes[at] = {i, false};
    if (reversed != std::string::npos) axes[reversed] = {i, true};
  }
  return axes;
}

/// First and last index along each voxel axis with visible content. In a row, voxels between the first and
/// the last visible one are not checked.
std::pair<Vec3<int>, Vec3<int>> boxOf(const Grid& grid, const std::function<bool(std::int64_t)>& seen) {
  Vec3<int> low = grid.size, high{-1, -1, -1};
  const int width = grid.size.x;
  for (int z = 0; z < grid.size.z; ++z)
    for (int y = 0; y < grid.size.y; ++y) {
      const std::int64_t row = grid.index(0, y, z);
      int first = 0, last = width - 1;
      while (first < width && !seen(row + first)) ++first;
      if (first == width) continue;
      while (!seen(row + last)) --last;
      low = {std::min(low.x, first), std::min(low.y, y), std::min(low.z, z)};
      high = {std::max(high.x, last), std::max(high.y, y), z};
    }
  if (high.x < 0) return {{0, 0, 0}, {grid.size.x - 1, grid.size.y - 1, grid.size.z - 1}};
  return {low, high};
}

}  // namespace

Color blended(Color below, Color above, double share) {
  const auto mix = [&](std::uint8_t a, std::uint8_t b) {
    return std::uint8_t(std::lround(a + std::clamp(share, 0.0, 1.0) * (double(b) - a)));
  };
  return {mix(below.red, above.red), mix(below.green, above.green), mix(below.blue, above.blue)};
}

Color divergingColor(double value) {
  const Color end = value < 0 ? Color{40, 80, 210} : Color{210, 40, 30};
  return blended({255, 255, 255}, end, std::abs(value));
}

std::function<Color(std::int64_t)> grays(std::span<const float> values) {
  const Range range =
      automaticRange(stridedSample(values, [](float value) { return isSound(value) && value != 0; }));
  return [values, range](std::int64_t voxel) {
    const float value = values[std::size_t(voxel)];
    if (!isSound(value)) return Color{};
    const double share = (value - range.low) / (range.high - range.low);
    const auto gray = std::uint8_t(std::lround(255 * std::clamp(share, 0.0, 1.0)));
    return Color{gray, gray, gray};
  };
}

std::function<bool(std::int64_t)> edges(VolumeView<const float> volume, float level) {
  return [volume, level](std::int64_t voxel) {
    if (!(volume.data[voxel] > level)) return false;
    const Vec3<int> size = volume.size;
    const std::int64_t row = voxel / size.x;
    const Vec3<int> at{int(voxel % size.x), int(row % size.y), int(row / size.y)};
    for (int axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1}) {
        Vec3<int> next = at;
        next[axis] += step;
        if (next[axis] >= 0 && next[axis] < size[axis] && !(volume(next.x, next.y, next.z) > level))
          return true;
      }
    return false;
  };
}

std::string sidesSentence(bool assumed) {
  return std::string("The right side is shown on the left") +
         (assumed ? ", by assumption: the scan does not state which side is left" : "") +
         "; in the lowest row the front is at the left.";
}

io::Picture slices(const Grid& grid, const std::function<Color(std::int64_t)>& colorOf,
                   const std::function<bool(std::int64_t)>& seen) {
  const auto axes = axesOf(grid);
  const auto [low, high] = boxOf(grid, seen);
  const Vec3<double> spacing = grid.spacing();
  const auto extent = [&, low = low, high = high](int world) {
    const int axis = axes[std::size_t(world)].voxel;
    return (high[axis] - low[axis] + 1) * spacing[axis];
  };
  const double mmPerPixel = std::max({extent(0), extent(1), extent(2)}) / kCell;
  // World axes across, up, and perpendicular to the slices; across runs to the left and to the back.
  constexpr int kPlanes[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
  io::Picture picture;
  picture.width = kSlices * kCell;
  std::array<int, 3> heights{};
  for (int p = 0; p < 3; ++p) {
    heights[std::size_t(p)] = std::max(1, int(std::ceil(extent(kPlanes[p][1]) / mmPerPixel))) + 2;
    picture.height += heights[std::size_t(p)];
  }
  picture.rgb.assign(3 * std::size_t(picture.width) * std::size_t(picture.height), 0);

  /// The voxel index along a world axis, `mm` from the low end of the box.
  const auto indexAt = [&, low = low, high = high](int world, double mm) {
    const Axis axis = axes[std::size_t(world)];
    const int step = int(mm / spacing[axis.voxel]);
    return axis.reversed ? high[axis.voxel] - step : low[axis.voxel] + step;
  };
  int top = 0;
  for (int p = 0; p < 3; ++p) {
    const auto [across, up, along] = std::tuple(kPlanes[p][0], kPlanes[p][1], kPlanes[p][2]);
    const int width = int(extent(across) / mmPerPixel), height = int(extent(up) / mmPerPixel);
    for (int s = 0; s < kSlices; ++s) {
      Vec3<int> at;
      at[axes[std::size_t(along)].voxel] = indexAt(along, extent(along) * (s + 0.5) / kSlices);
      const int left = s * kCell + (kCell - width) / 2;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          at[axes[std::size_t(across)].voxel] = indexAt(across, extent(across) - (x + 0.5) * mmPerPixel);
          at[axes[std::size_t(up)].voxel] = indexAt(up, extent(up) - (y + 0.5) * mmPerPixel);
          const Color color = colorOf(grid.index(at.x, at.y, at.z));
          std::uint8_t* pixel = picture.rgb.data() + 3 * (std::size_t(top + y) * std::size_t(picture.width) +
                                                          std::size_t(left + x));
          pixel[0] = color.red;
          pixel[1] = color.green;
          pixel[2] = color.blue;
        }
    }
    top += heights[std::size_t(p)];
  }
  return picture;
}

}  // namespace sulcus::bids
