#include "tests/bench/papers/surface_picture.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::bench {
namespace {

double valueOf(const Volume<float>& phi, const Vec3<double>& p) {
  return interpolated<double>(phi.values.data(), cellAt(phi.grid.size, p.x, p.y, p.z));
}

/// The first and the last inside voxel along each axis.
std::pair<Vec3<double>, Vec3<double>> insideBox(const Volume<float>& phi) {
  Vec3<double> low{1e9, 1e9, 1e9}, high{0, 0, 0};
  for (std::int64_t i = 0; i < phi.grid.voxels(); ++i) {
    if (phi.values[std::size_t(i)] > 0) continue;
    const Vec3<int> at = phi.grid.voxel(i);
    for (int a = 0; a < 3; ++a)
      low[a] = std::min(low[a], double(at[a])), high[a] = std::max(high[a], double(at[a]));
  }
  return {low, high};
}

std::uint8_t byteOf(double share) { return std::uint8_t(std::lround(255 * std::clamp(share, 0.0, 1.0))); }

}  // namespace

io::Picture pictureOfSurface(const Volume<float>& phi, int pixels,
                             const std::function<double(const Vec3<double>&)>& valueAt) {
  io::Picture picture{pixels, pixels, {}};
  picture.rgb.assign(std::size_t(3 * pixels) * std::size_t(pixels), 255);
  const Vec3<double> size{double(phi.grid.size.x), double(phi.grid.size.y), double(phi.grid.size.z)};
  const auto [low, high] = insideBox(phi);
  const Vec3<double> middle = 0.5 * (low + high);
  const double extent = 1.02 * norm(high - low), step = 0.4;
  const Vec3<double> ahead = normalized(Vec3<double>{-1, 1.2, -0.8}),
                     right = normalized(cross(ahead, Vec3<double>{0, 0, 1})), up = cross(right, ahead),
                     light = normalized(Vec3<double>{0.3, -0.5, 1});
  const double edge = phi.grid.spacing().x;
  const auto inside = [&](const Vec3<double>& p) {
    return p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= size.x - 1 && p.y <= size.y - 1 && p.z <= size.z - 1;
  };
  parallelFor(pixels, 1, {}, [&](std::int64_t row) {
    for (int column = 0; column < pixels; ++column) {
      const double a = (column + 0.5) / pixels - 0.5, b = 0.5 - (double(row) + 0.5) / pixels;
      Vec3<double> p = middle + extent * a * right + extent * b * up - extent * ahead;
      for (double gone = 0; gone < 2 * extent; gone += step, p = p + step * ahead) {
        if (!inside(p) || valueOf(phi, p) > 0) continue;
        for (int half = 0; half < 6; ++half)
          p = p + (valueOf(phi, p) > 0 ? 1 : -1) * step / double(2 << half) * ahead;
        const auto slope = [&](const Vec3<double>& d) { return valueOf(phi, p + d) - valueOf(phi, p - d); };
        const Vec3<double> normal = normalized(
            Vec3<double>{slope({0.7, 0, 0}), slope({0, 0.7, 0}), slope({0, 0, 0.7})} + 1e-9 * edge * up);
        const double shade =
            0.3 + 0.7 * std::max(0.0, dot(normal, light)) * 0.8 + 0.14 * std::max(0.0, -dot(normal, ahead));
        const double value = valueAt ? std::clamp(valueAt(p), 0.0, 1.0) : 0;
        std::uint8_t* const pixel = picture.rgb.data() + 3 * (row * pixels + column);
        pixel[0] = byteOf(shade * (0.93 - 0.1 * value)), pixel[1] = byteOf(shade * (0.9 - 0.75 * value)),
        pixel[2] = byteOf(shade * (0.84 - 0.7 * value));
        break;
      }
    }
  });
  return picture;
}

io::Picture sagittalSliceWithField(const Volume<float>& volume, double largest,
                                   const Series<float>& displacement) {
  constexpr int scale = 3, every = 8;
  const io::Picture plain = sagittalSlice(volume, largest);
  io::Picture picture{plain.width * scale, plain.height * scale, {}};
  const auto pixelAt = [](auto& of, int column, int row) {
    return of.rgb.begin() + 3 * (std::ptrdiff_t(row) * of.width + column);
  };
  picture.rgb.resize(plain.rgb.size() * scale * scale);
  for (int row = 0; row < picture.height; ++row)
    for (int column = 0; column < picture.width; ++column)
      std::copy_n(pixelAt(plain, column / scale, row / scale), 3, pixelAt(picture, column, row));
  const Vec3<int> n = volume.grid.size;
  const double pixels = scale / volume.grid.spacing().x;  // per mm
  for (int z = every / 2; z < n.z; z += every)
    for (int y = every / 2; y < n.y; y += every) {
      const std::int64_t voxel = volume.grid.index(n.x / 2, y, z);
      const double across = -pixels * displacement.at(voxel, 1), down = -pixels * displacement.at(voxel, 2);
      const int steps = 1 + int(2 * std::hypot(across, down));
      for (int step = 0; step <= steps; ++step) {
        const double share = double(step) / steps;
        const int column = int(std::floor((n.y - 0.5 - y) * scale + share * across)),
                  row = int(std::floor((n.z - 0.5 - z) * scale + share * down));
        if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) continue;
        constexpr std::uint8_t orange[] = {255, 176, 0};
        std::copy_n(orange, 3, pixelAt(picture, column, row));
      }
    }
  return picture;
}

io::Picture sagittalSlice(const Volume<float>& volume, double largest) {
  const Vec3<int> n = volume.grid.size;
  io::Picture picture{n.y, n.z, {}};
  for (int z = n.z - 1; z >= 0; --z)
    for (int y = n.y - 1; y >= 0; --y)
      picture.rgb.insert(
          picture.rgb.end(), 3,
          byteOf(double(volume.values[std::size_t(volume.grid.index(n.x / 2, y, z))]) / largest));
  return picture;
}

}  // namespace sulcus::bench
