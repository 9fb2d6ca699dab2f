#include "core/registration/results/turned_peaks.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/results/maps_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::registration {
namespace {

/// The derivative of x + displacement(x) at a voxel, by central differences, one-sided at the ends of the
/// grid.
Affine derivativeAt(const Series<float>& displacement, const Vec3<int>& v) {
  const Grid& grid = displacement.grid;
  Affine alongVoxels;  // columns: the motion of the point for a step of one voxel along each axis
  for (int axis = 0; axis < 3; ++axis) {
    Vec3<int> low = v, high = v;
    low[axis] = std::max(v[axis] - 1, 0);
    high[axis] = std::min(v[axis] + 1, grid.size[axis] - 1);
    const int steps = high[axis] - low[axis];
    Vec3<double> step = grid.worldFromVoxel.column(axis);
    if (steps > 0) {
      const std::int64_t a = grid.index(low.x, low.y, low.z), b = grid.index(high.x, high.y, high.z);
      for (int c = 0; c < 3; ++c) step[c] += double(displacement.at(b, c) - displacement.at(a, c)) / steps;
    }
    for (int c = 0; c < 3; ++c) alongVoxels.m[c][axis] = step[c];
  }
  Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  voxelFromWorld.t = {};
  return alongVoxels * voxelFromWorld;
}

}  // namespace

Series<float> turnedPeaks(const Series<float>& peaks, const Series<float>& displacement,
                          const Progress& progress) {
  const Grid& grid = displacement.grid;
  Series<float> turned(grid, peaks.count, std::numeric_limits<float>::quiet_NaN());
  const AffineMap voxelFromWorld = peaks.grid.worldFromVoxel.inverse(), worldFromVoxel = grid.worldFromVoxel;
  parallelForBlocks(grid.voxels(), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Vec3<int> v = grid.voxel(i);
      const Vec3<double> p =
          displacedPlace(voxelFromWorld, worldFromVoxel, v,
                         {displacement.at(i, 0), displacement.at(i, 1), displacement.at(i, 2)});
      if (!isInImage(peaks.grid.size, p)) continue;
      const std::int64_t from =
          peaks.grid.index(int(std::lround(p.x)), int(std::lround(p.y)), int(std::lround(p.z)));
      const Affine derivative = derivativeAt(displacement, v);
      if (!(derivative.determinant() > 0)) continue;
      const Affine back = derivative.inverse();
      for (int k = 0; k + 2 < peaks.count; k += 3) {
        const Vec3<double> d{peaks.at(from, k), peaks.at(from, k + 1), peaks.at(from, k + 2)};
        const Vec3<double> along = back.vector(d);
        const double length = norm(along);
        const double scale = length > 0 ? norm(d) / length : 0;
        for (int c = 0; c < 3; ++c) turned.at(i, k + c) = float(scale * along[c]);
      }
    }
  });
  return turned;
}

}  // namespace sulcus::registration
