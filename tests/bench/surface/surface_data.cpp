#include "tests/bench/surface/surface_data.h"

#include "core/base/parallel/parallel_for.h"
#include "core/phantom/surface_phantom.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace sulcus::bench {
namespace {

constexpr double kDelta = 3;
constexpr float kFar = 1e12f;

/// Lower envelope of the parabolas (x − i)² + f[i]: Felzenszwalb & Huttenlocher, Theory of Computing 8 (2012)
/// 415. Replaces f, whose values are `stride` apart.
void squaredDistances(float* f, int count, std::int64_t stride) {
  std::vector<float> at(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) at[std::size_t(i)] = f[i * stride];
  std::vector<int> place{0};
  std::vector<double> from{-kFar};
  const auto synchronizeAll = [&](int i, int j) {
    return ((double(at[std::size_t(i)]) + double(i) * i) - (double(at[std::size_t(j)]) + double(j) * j)) /
           (2.0 * (i - j));
  };
  for (int i = 1; i < count; ++i) {
    double s = synchronizeAll(i, place.back());
    while (place.size() > 1 && s <= from.back())
      place.pop_back(), from.pop_back(), s = synchronizeAll(i, place.back());
    place.push_back(i), from.push_back(s);
  }
  std::size_t k = 0;
  for (int i = 0; i < count; ++i) {
    while (k + 1 < place.size() && from[k + 1] < i) ++k;
    f[i * stride] = float((i - place[k]) * (i - place[k])) + at[std::size_t(place[k])];
  }
}

/// The squared distance to the nearest voxel whose mask is `side`.
Volume<float> squaredDistanceTo(const Mask& mask, bool side) {
  Volume<float> result(mask.grid);
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = (mask.values[i] != 0) == side ? 0 : kFar;
  const Vec3<int> n = mask.grid.size;
  const std::int64_t row = n.x, plane = std::int64_t(n.x) * n.y;
  float* const f = result.values.data();
  parallelFor(n.z, 1, {}, [&](std::int64_t z) {
    for (int y = 0; y < n.y; ++y) squaredDistances(f + z * plane + y * row, n.x, 1);
    for (int x = 0; x < n.x; ++x) squaredDistances(f + z * plane + x, n.y, row);
  });
  parallelFor(plane, {}, [&](std::int64_t i) { squaredDistances(f + i, n.z, plane); });
  return result;
}

}  // namespace

std::string nameOf(SurfaceData data) {
  return data == SurfaceData::mask ? "mask" : data == SurfaceData::gray ? "gray" : "flat";
}

Volume<float> distanceOfMask(const Mask& mask) {
  const Volume<float> in = squaredDistanceTo(mask, true), out = squaredDistanceTo(mask, false);
  const float edge = float(mask.grid.spacing().x);
  Volume<float> phi(mask.grid);
  for (std::size_t i = 0; i < phi.values.size(); ++i)
    phi.values[i] =
        edge * (std::sqrt(in.values[i]) - std::sqrt(out.values[i]) + (in.values[i] > 0 ? -0.5f : 0.5f));
  return phi;
}

Volume<float> surfaceOf(SurfaceData data, int size) {
  if (data == SurfaceData::flat) {
    Grid grid;
    grid.size = {size, size, size};
    Mask cube(grid);
    const int margin = size / 8;
    parallelFor(cube.grid.voxels(), {}, [&](std::int64_t i) {
      const Vec3<int> at = cube.grid.voxel(i);
      const auto inside = [&](int x) { return x >= margin && x < size - margin; };
      cube.values[std::size_t(i)] = inside(at.x) && inside(at.y) && inside(at.z);
    });
    return surface::quantized(distanceOfMask(cube), {});
  }
  phantom::SurfacePhantomOptions options;
  options.kind = phantom::SurfacePhantomKind::fold, options.size = size;
  const phantom::SurfacePhantom phantom = phantom::makeSurfacePhantom(options);
  if (data == SurfaceData::mask) return surface::quantized(distanceOfMask(*phantom.noisy), {});
  Volume<float> phi(phantom.truth->grid);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> noise(phi.values.size());
  for (float& v : noise) v = normal(random);
  const Vec3<int> n = phi.grid.size;
  parallelFor(phi.grid.voxels(), {}, [&](std::int64_t i) {
    const Vec3<int> at = phi.grid.voxel(i);
    float sum = 0;
    for (int z = std::max(0, at.z - 1); z <= std::min(n.z - 1, at.z + 1); ++z)
      for (int y = std::max(0, at.y - 1); y <= std::min(n.y - 1, at.y + 1); ++y)
        for (int x = std::max(0, at.x - 1); x <= std::min(n.x - 1, at.x + 1); ++x)
          sum += noise[std::size_t((std::int64_t(z) * n.y + y) * n.x + x)];
    phi.values[std::size_t(i)] = phantom.truth->values[std::size_t(i)] + 0.1f * sum;
  });
  return surface::quantized(phi, {});
}

surface::Band bandOfSize(SurfaceData data, std::int64_t elements, int side, Volume<float>& phi) {
  int size = elements < 5000 ? 24 : 64;
  const auto within = [&] {
    return std::count_if(phi.values.begin(), phi.values.end(), [](float v) { return std::abs(v) <= kDelta; });
  };
  for (phi = surfaceOf(data, size); within() < elements; phi = surfaceOf(data, size))
    size = std::max(size + 8, int(std::ceil(size * std::sqrt(double(elements) / double(within())) / 8)) * 8);
  surface::Band band = surface::bandOf(phi, kDelta, side);
  band.voxels.resize(std::size_t(elements));
  return band;
}

}  // namespace sulcus::bench
