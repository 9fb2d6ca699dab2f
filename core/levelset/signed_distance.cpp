#include "core/levelset/signed_distance.h"

#include "core/base/parallel/parallel_for.h"
#include "core/levelset/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::levelset {
namespace {

/// Propagated distances below this many voxels are replaced by exact ones. As a propagated distance is at
/// most a few tenths of a voxel too large, this covers at least all voxels within 5 voxels of the surface,
/// which is what patches of the usual size see of a band of the usual width.
constexpr double kExactVoxels = 5.5;

/// The closest known point of the surface for each voxel.
struct ClosestPoints {
  std::vector<Vec3<float>> points;     ///< mm
  std::vector<float> squaredDistance;  ///< mm²; infinite where no point is known
  std::vector<std::int32_t>
      triangles;  ///< index in the tree of the triangle that the point lies on; −1 if none is known

  explicit ClosestPoints(std::size_t voxels)
      : points(voxels),
        squaredDistance(voxels, std::numeric_limits<float>::infinity()),
        triangles(voxels, -1) {}
  void set(std::size_t voxel, const NearestPoint& nearest) {
    points[voxel] = {float(nearest.point.x), float(nearest.point.y), float(nearest.point.z)};
    squaredDistance[voxel] = float(nearest.squaredDistance);
    triangles[voxel] = nearest.triangle;
  }
};

/// Which voxels of a row are at the surface, from those of the nine rows around it.
///
/// @param one, all  of size.x + 2 numbers, which are overwritten
void markSurface(const Volume<float>& level, std::int64_t row, std::vector<std::uint8_t>& one,
                 std::vector<std::uint8_t>& all, std::uint8_t* out) {
  const Vec3<int> size = level.grid.size;
  const int y = int(row % size.y), z = int(row / size.y);
  const bool edge = y == 0 || z == 0 || y == size.y - 1 || z == size.z - 1;
  // Whether one of the nine voxels, or all, at x − 1 are inside.
  std::ranges::fill(one, 0);
  std::fill(all.begin() + 1, all.end() - 1, edge ? 0 : 1);
  for (int k = std::max(z - 1, 0); k <= std::min(z + 1, size.z - 1); ++k)
    for (int j = std::max(y - 1, 0); j <= std::min(y + 1, size.y - 1); ++j) {
      const float* const values = level.values.data() + level.grid.index(0, j, k);
      for (int x = 0; x < size.x; ++x) {
        const std::uint8_t inside = values[x] < 0;
        one[x + 1] |= inside;
        all[x + 1] &= inside;
      }
    }
  for (std::size_t x = 0; x < std::size_t(size.x); ++x)
    out[x] = (one[x] | one[x + 1] | one[x + 2]) & ~(all[x] & all[x + 1] & all[x + 2]);
}

/// The voxels at the surface: those with a voxel of the other sign among their 26 neighbors. Beyond the grid
/// is outside.
Mask surfaceVoxels(const Volume<float>& level, const Progress& progress) {
  Mask result(level.grid);
  const Vec3<int> size = level.grid.size;
  parallelForBlocks(std::int64_t(size.y) * size.z, 16, progress, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint8_t> one(std::size_t(size.x) + 2), all(one.size());
    for (std::int64_t row = begin; row < end; ++row)
      markSurface(level, row, one, all, result.values.data() + row * size.x);
  });
  return result;
}

/// Propagates closest points through the grid: in sweeps up and down each axis, a voxel takes over the
/// closest point of its neighbor along the axis if it is closer than its own.
void propagate(const Grid& grid, ClosestPoints& closest, const Progress& progress) {
  const Vec3<int> size = grid.size;
  const std::int64_t slice = std::int64_t(size.x) * size.y;
  const auto takeOver = [&](std::int64_t voxel, std::int64_t neighbor, const Vec3<double>& p) {
    const auto to = std::size_t(voxel), from = std::size_t(neighbor);
    if (closest.triangles[from] < 0) return;
    const Vec3<float> point = closest.points[from];
    const Vec3<float> difference{float(p.x) - point.x, float(p.y) - point.y, float(p.z) - point.z};
    const float squared = dot(difference, difference);
    if (!(squared < closest.squaredDistance[to])) return;
    closest.squaredDistance[to] = squared;
    closest.points[to] = point;
    closest.triangles[to] = closest.triangles[from];
  };
  const Vec3<double> step = grid.worldFromVoxel.column(0);
  const auto fromRow = [&](int y, int z, std::int64_t neighbor) {
    Vec3<double> p = grid.worldFromVoxel.point({0, double(y), double(z)});
    for (std::int64_t i = grid.index(0, y, z), end = i + size.x; i < end; ++i, ++neighbor, p = p + step)
      takeOver(i, neighbor, p);
  };
  const auto alongRow = [&](int y, int z) {
    Vec3<double> p = grid.worldFromVoxel.point({0, double(y), double(z)});
    const std::int64_t first = grid.index(0, y, z), last = first + size.x - 1;
    for (std::int64_t i = first + 1; i <= last; ++i) {
      p = p + step;
      takeOver(i, i - 1, p);
    }
    for (std::int64_t i = last - 1; i >= first; --i) {
      p = p - step;
      takeOver(i, i + 1, p);
    }
  };
  const auto inSlice = [&](int z) {
    for (int y = 0; y < size.y; ++y) {
      if (y > 0) fromRow(y, z, grid.index(0, y - 1, z));
      alongRow(y, z);
    }
    for (int y = size.y - 2; y >= 0; --y) {
      fromRow(y, z, grid.index(0, y + 1, z));
      alongRow(y, z);
    }
  };
  const auto fromSlice = [&](int z, std::int64_t toNeighbor) {
    parallelFor(size.y, 16, {},
                [&](std::int64_t y) { fromRow(int(y), z, grid.index(0, int(y), z) + toNeighbor); });
    inSlice(z);
  };
  inSlice(0);
  for (int z = 1; z < size.z; ++z) {
    fromSlice(z, -slice);
    progress.update(0.5 * z / size.z);
  }
  for (int z = size.z - 2; z >= 0; --z) {
    fromSlice(z, slice);
    progress.update(1 - 0.5 * z / size.z);
  }
}

/// Calls body(index, position in mm) for each voxel, on all threads.
template <class Body>
void forEachVoxel(const Grid& grid, const Progress& progress, const Body& body) {
  const Vec3<double> step = grid.worldFromVoxel.column(0);
  parallelFor(std::int64_t(grid.size.y) * grid.size.z, 4, progress, [&](std::int64_t row) {
    const std::int64_t first = row * grid.size.x;
    const Vec3<int> v = grid.voxel(first);
    Vec3<double> p = grid.worldFromVoxel.point({0, double(v.y), double(v.z)});
    for (std::int64_t i = first; i < first + grid.size.x; ++i, p = p + step) body(std::size_t(i), p);
  });
}

}  // namespace

Volume<float> signedDistanceOfContour(const Mesh& contour, const Volume<float>& level,
                                      const Progress& progress) {
  const Grid& grid = level.grid;
  const Vec3<double> spacing = grid.spacing();
  const auto far = float(kFarthest * std::min({spacing.x, spacing.y, spacing.z}));
  Volume<float> phi(grid, far);
  if (contour.triangles.empty()) return phi;

  const TriangleTree tree(contour);
  ClosestPoints closest(phi.values.size());
  const Mask atSurface = surfaceVoxels(level, progress.part(0, 0.05, "Distance"));
  forEachVoxel(grid, progress.part(0.05, 0.2, "Distance"), [&](std::size_t i, const Vec3<double>& p) {
    if (!atSurface.values[i]) return;
    const bool behind = i % std::size_t(grid.size.x) > 0 && atSurface.values[i - 1];
    closest.set(i, tree.nearest(p, behind ? closest.triangles[i - 1] : -1));
  });
  propagate(grid, closest, progress.part(0.2, 0.55, "Distance"));
  const auto reach = float(kExactVoxels * std::max({spacing.x, spacing.y, spacing.z}));
  forEachVoxel(grid, progress.part(0.55, 1, "Distance"), [&](std::size_t i, const Vec3<double>& p) {
    double squared = closest.squaredDistance[i];
    if (!atSurface.values[i] && squared <= reach * reach)
      squared = tree.nearest(p, closest.triangles[i]).squaredDistance;
    const float distance = std::min(far, float(std::sqrt(squared)));
    phi.values[i] = level.values[i] < 0 ? -distance : distance;
  });
  return phi;
}

std::vector<double> distancesTo(const Mesh& mesh, const std::vector<Vec3<float>>& points,
                                const Progress& progress) {
  const TriangleTree tree(mesh);
  std::vector<double> distances(points.size());
  parallelFor(std::ssize(points), progress, [&](std::int64_t i) {
    const Vec3<float>& p = points[i];
    distances[i] = std::sqrt(tree.nearest({p.x, p.y, p.z}).squaredDistance);
  });
  return distances;
}

}  // namespace sulcus::levelset
