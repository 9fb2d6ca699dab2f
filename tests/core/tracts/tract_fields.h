#pragma once

#include "core/tracts/tracts.h"

#include <functional>
#include <limits>
#include <memory>

// Fields whose lines are known analytically.

namespace sulcus::tracts {

/// The unit direction at a position in mm; 0 for none.
using DirectionAt = std::function<Vec3<double>(const Vec3<double>&)>;

inline Grid cube(int size, double spacing) {
  Grid grid;
  grid.size = {size, size, size};
  for (std::size_t axis = 0; axis < 3; ++axis) grid.worldFromVoxel.m[axis][axis] = spacing;
  const double first = -0.5 * (size - 1) * spacing;
  grid.worldFromVoxel.t = {first, first, first};
  return grid;
}

/// One peak of amplitude 1 in each voxel.
inline std::shared_ptr<const Series<float>> peaksOf(const Grid& grid, const DirectionAt& direction) {
  Series<float> peaks(grid, 3, std::numeric_limits<float>::quiet_NaN());
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3<int> at = grid.voxel(v);
    const Vec3<double> t = direction(grid.worldFromVoxel.point({double(at.x), double(at.y), double(at.z)}));
    if (norm(t) > 0)
      for (int c = 0; c < 3; ++c) peaks.at(v, c) = float(t[c]);
  }
  return std::make_shared<const Series<float>>(std::move(peaks));
}

/// (g·t)⁸ in each voxel.
inline std::shared_ptr<const Series<float>> functionsAlong(const Grid& grid, const DirectionAt& direction) {
  constexpr auto classes = indexClasses<8>();
  Series<float> functions(grid, int(classes.size()));
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3<int> at = grid.voxel(v);
    const Vec3<double> t = direction(grid.worldFromVoxel.point({double(at.x), double(at.y), double(at.z)}));
    if (norm(t) > 0)
      for (std::size_t u = 0; u < classes.size(); ++u)
        functions.at(v, int(u)) =
            float(std::pow(t.x, classes[u].i) * std::pow(t.y, classes[u].j) * std::pow(t.z, classes[u].k));
  }
  return std::make_shared<const Series<float>>(std::move(functions));
}

/// White matter for |x| < 11 mm, cortex outside, fluid for y > 10 mm, with voxels at odd positions.
inline std::shared_ptr<const Series<float>> tissuesOfSlab(const Grid& grid) {
  Series<float> tissues(grid, 5);
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3<int> at = grid.voxel(v);
    const Vec3<double> p = grid.worldFromVoxel.point({double(at.x), double(at.y), double(at.z)});
    tissues.at(v, p.y > 10 ? 3 : std::abs(p.x) < 11 ? 2 : 0) = 1;
  }
  return std::make_shared<const Series<float>>(std::move(tissues));
}

/// Around the z axis.
inline Vec3<double> aroundZ(const Vec3<double>& p) {
  const double r = std::hypot(p.x, p.y);
  return r < 1e-9 ? Vec3<double>{} : Vec3<double>{-p.y / r, p.x / r, 0};
}
/// Around the z axis and up: at radius 16 mm it rises 12 mm for each radian.
inline Vec3<double> upAroundZ(const Vec3<double>& p) { return normalized(Vec3<double>{-p.y, p.x, 12}); }
/// Away from a point far below.
inline Vec3<double> fan(const Vec3<double>& p) { return normalized(p - Vec3<double>{0, 0, -50}); }

}  // namespace sulcus::tracts
