#pragma once

#include "core/image/volume.h"

#include <cmath>
#include <random>

namespace sulcus::test {

/// The signed distance of a ball with Gaussian noise in mm, on voxels of `spacing` mm.
inline Volume<float> noisyBall(int size, double noise, Vec3<double> spacing = {1, 1, 1}, unsigned seed = 1) {
  Grid grid;
  grid.size = {size, size, size};
  for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = spacing[i];
  Volume<float> phi(grid);
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> d = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}) - grid.center();
    phi.values[std::size_t(i)] = float(norm(d) - 0.3 * size * spacing.x + noise * normal(random));
  }
  return phi;
}

/// −1 inside a block and 1 outside, so that thousands of patches are identical.
inline Volume<float> block(int size) {
  Grid grid;
  grid.size = {size, size, size};
  Volume<float> phi(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const auto in = [&](int x) { return x >= size / 4 && x < 3 * size / 4; };
    phi.values[std::size_t(i)] = in(v.x) && in(v.y) && in(v.z) ? -1 : 1;
  }
  return phi;
}

}  // namespace sulcus::test
