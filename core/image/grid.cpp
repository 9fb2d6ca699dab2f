#include "core/image/grid.h"

#include "core/base/sentence.h"
#include "core/image/grids/grid_corners.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace sulcus {

Vec3<double> Grid::spacing() const {
  return {norm(worldFromVoxel.column(0)), norm(worldFromVoxel.column(1)), norm(worldFromVoxel.column(2))};
}

Vec3<double> Grid::center() const {
  return worldFromVoxel.point({0.5 * (size.x - 1), 0.5 * (size.y - 1), 0.5 * (size.z - 1)});
}

Affine imageAxes(const Grid& grid) {
  Eigen::Matrix3d axes;
  for (int j = 0; j < 3; ++j) {
    const Vec3<double> column = normalized(grid.worldFromVoxel.column(j));
    axes.col(j) << column.x, column.y, column.z;
  }
  const Eigen::Matrix3d nearest = nearestOrthogonal(axes);
  Affine result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result.m[i][j] = nearest(i, j);
  return result;
}

Affine worldFromFsl(const Grid& grid) {
  Affine axes = imageAxes(grid);
  if (axes.determinant() > 0)
    for (auto& row : axes.m) row[0] = -row[0];
  return axes;
}

double largestShift(const Vec3<int>& size, const Affine& a, const Affine& b) {
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3<double> v = cornerOf(size, corner);
    const double shift = norm(a.point(v) - b.point(v));
    if (std::isnan(shift)) return shift;
    largest = std::max(largest, shift);
  }
  return largest;
}

bool sameGrid(const Grid& a, const Grid& b) {
  if (!(a.size == b.size)) return false;
  const Vec3<double> spacing = a.spacing();
  const double tolerance = 1e-3 * std::fmin(spacing.x, std::fmin(spacing.y, spacing.z));
  return largestShift(a.size, a.worldFromVoxel, b.worldFromVoxel) <= tolerance;
}

std::string describeGrid(const Grid& grid) {
  const Vec3<double> spacing = grid.spacing();
  const auto mm = [](double value) {
    std::ostringstream digits;
    digits.precision(4);
    digits << value;
    return digits.str();
  };
  return text(grid.size.x, " × ", grid.size.y, " × ", grid.size.z, " voxels of ", mm(spacing.x), " × ",
              mm(spacing.y), " × ", mm(spacing.z), " mm");
}

std::string otherGrid(const Grid& grid, const Grid& wanted) {
  const std::string is = describeGrid(grid), was = describeGrid(wanted);
  if (is != was) return is + " instead of " + was;
  const double farthest = largestShift(grid.size, grid.worldFromVoxel, wanted.worldFromVoxel);
  const std::string axes = orientationCode(grid), wantedAxes = orientationCode(wanted);
  return is + (axes == wantedAxes ? "" : " with axes " + axes + " instead of " + wantedAxes) + ", up to " +
         text(farthest) + " mm away from those";
}

std::string orientationCode(const Grid& grid) {
  constexpr char positive[] = "RAS", negative[] = "LPI";
  std::string code(3, '?');
  bool used[3] = {false, false, false};
  // Largest entry first, so that each voxel axis gets its own world axis even if the grid is oblique.
  for (int pass = 0; pass < 3; ++pass) {
    int bestAxis = 0, bestWorld = 0;
    double best = -1;
    for (int axis = 0; axis < 3; ++axis)
      for (int world = 0; world < 3; ++world) {
        if (code[axis] != '?' || used[world]) continue;
        const Vec3<double> column = grid.worldFromVoxel.column(axis);
        const double share = std::abs(column[world]) / norm(column);
        if (share > best) best = share, bestAxis = axis, bestWorld = world;
      }
    used[bestWorld] = true;
    code[bestAxis] =
        grid.worldFromVoxel.column(bestAxis)[bestWorld] >= 0 ? positive[bestWorld] : negative[bestWorld];
  }
  return code;
}

}  // namespace sulcus
