#pragma once

#include "core/image/grid.h"
#include "core/image/tracts.h"

#include <cmath>
#include <random>

namespace sulcus::test {

/// Lines that wander around the middle of a grid, with numbers of all kinds and two groups; the last line has
/// one point, the one before none.
inline Tracts someTracts(const Grid& grid, std::size_t lines = 20, unsigned seed = 3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Tracts tracts;
  const Vec3<double> center = grid.center();
  tracts.perLine = {{"weight", 1, {}}, {"color", 3, {}}};
  tracts.perPoint = {{"fa", 1, {}}};
  for (std::size_t i = 0; i < lines; ++i) {
    Vec3<float> p{float(center.x) + 3 * uniform(random), float(center.y) + 3 * uniform(random),
                  float(center.z) + 3 * uniform(random)};
    const std::size_t points = i + 1 == lines ? 1 : i + 2 == lines ? 0 : 5 + i % 7;
    for (std::size_t k = 0; k < points; ++k) {
      tracts.points.push_back(p);
      p = p + Vec3<float>{0.7f * uniform(random), 0.7f * uniform(random), 0.7f * uniform(random)};
      tracts.perPoint[0].values.push_back(uniform(random));
    }
    tracts.first.push_back(tracts.points.size());
    tracts.perLine[0].values.push_back(uniform(random));
    for (int c = 0; c < 3; ++c) tracts.perLine[1].values.push_back(uniform(random));
  }
  tracts.groups = {{"left", {0, 2, 3}}, {"right", {1, std::uint32_t(lines - 1)}}};
  return tracts;
}

/// An oblique grid of anisotropic voxels, whose axes may be reversed.
inline Grid slantedGrid(bool flipped = false) {
  Grid grid;
  grid.size = {40, 50, 30};
  const double c = std::cos(0.3), s = std::sin(0.3);
  const Vec3<double> spacing{1.25, 2, 3.1};
  const double axes[3][3] = {{c, -s, 0}, {s * c, c * c, -s}, {s * s, c * s, c}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      grid.worldFromVoxel.m[i][j] = axes[i][j] * spacing[int(j)] * (flipped && j != 2 ? -1 : 1);
  grid.worldFromVoxel.t = {-31.5, 12.25, 7.75};
  return grid;
}

}  // namespace sulcus::test
