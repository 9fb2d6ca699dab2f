#include "core/io/level_sets.h"

#include "core/base/parallel_for.h"
#include "core/image/value_check.h"
#include "core/surface/band.h"
#include "core/surface/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::io {
namespace {

/// What is handed on to be this near, in voxels, is measured exactly: at least all within 5 voxels, which
/// patches of the usual size see of a band of the usual width.
constexpr double kExact = 5.5;

/// The nearest place of a surface that each voxel knows of.
struct Feet {
  std::vector<Vec3<float>> points;     ///< mm
  std::vector<float> squaredDistance;  ///< mm²
  std::vector<std::int32_t> places;    ///< in the tree

  explicit Feet(std::size_t voxels)
      : points(voxels), squaredDistance(voxels, std::numeric_limits<float>::infinity()), places(voxels, -1) {}
  void put(std::size_t voxel, const NearestPoint& nearest) {
    points[voxel] = {float(nearest.point.x), float(nearest.point.y), float(nearest.point.z)};
    squaredDistance[voxel] = float(nearest.squaredDistance);
    places[voxel] = nearest.place;
  }
};

/// Voxels with another sign beside them, in 26 directions; past the grid is outside.
Mask bySurface(const Volume<float>& level, const Progress& progress) {
  Mask result(level.grid);
  const Vec3<int> size = level.grid.size;
  parallelFor(
      level.grid.voxels(), progress,
      [&](std::int64_t i) {
        const Vec3<int> v = level.grid.voxel(i);
        const bool inside = level.values[std::size_t(i)] < 0;
        const bool edge =
            v.x == 0 || v.y == 0 || v.z == 0 || v.x == size.x - 1 || v.y == size.y - 1 || v.z == size.z - 1;
        bool other = inside && edge;
        for (int z = std::max(v.z - 1, 0); !other && z <= std::min(v.z + 1, size.z - 1); ++z)
          for (int y = std::max(v.y - 1, 0); y <= std::min(v.y + 1, size.y - 1); ++y)
            for (int x = std::max(v.x - 1, 0); x <= std::min(v.x + 1, size.x - 1); ++x)
              other = other || (level(x, y, z) < 0) != inside;
        result.values[std::size_t(i)] = other;
      },
      4096);
  return result;
}

/// Each voxel learns from those at its sides, in sweeps up and down each axis: places of the surface that
/// were found nearby are handed on as far as they are the nearest.
void handOn(const Grid& grid, Feet& feet, const Progress& progress) {
  const Vec3<int> size = grid.size;
  const std::int64_t slice = std::int64_t(size.x) * size.y;
  const auto learn = [&](std::int64_t here, std::int64_t there, const Vec3<double>& p) {
    const auto to = std::size_t(here), from = std::size_t(there);
    if (feet.places[from] < 0) return;
    const Vec3<float> foot = feet.points[from];
    const Vec3<float> way{float(p.x) - foot.x, float(p.y) - foot.y, float(p.z) - foot.z};
    const float squared = dot(way, way);
    if (squared < feet.squaredDistance[to])
      feet.squaredDistance[to] = squared, feet.points[to] = foot, feet.places[to] = feet.places[from];
  };
  const Vec3<double> step = grid.worldFromVoxel.column(0);
  const auto fromRow = [&](int y, int z, std::int64_t there) {
    Vec3<double> p = grid.worldFromVoxel.point({0, double(y), double(z)});
    for (std::int64_t i = grid.index(0, y, z), end = i + size.x; i < end; ++i, ++there, p = p + step)
      learn(i, there, p);
  };
  const auto alongRow = [&](int y, int z) {
    Vec3<double> p = grid.worldFromVoxel.point({0, double(y), double(z)});
    const std::int64_t first = grid.index(0, y, z), last = first + size.x - 1;
    for (std::int64_t i = first + 1; i <= last; ++i) p = p + step, learn(i, i - 1, p);
    for (std::int64_t i = last - 1; i >= first; --i) p = p - step, learn(i, i + 1, p);
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
  const auto fromSlice = [&](int z, std::int64_t there) {
    parallelFor(
        size.y, {}, [&](std::int64_t y) { fromRow(int(y), z, grid.index(0, int(y), z) + there); }, 16);
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

/// Calls `body(voxel, its place in mm)`.
template <class Body>
void atVoxels(const Grid& grid, const Progress& progress, const Body& body) {
  const Vec3<double> step = grid.worldFromVoxel.column(0);
  parallelFor(
      std::int64_t(grid.size.y) * grid.size.z, progress,
      [&](std::int64_t row) {
        const std::int64_t first = row * grid.size.x;
        const Vec3<int> v = grid.voxel(first);
        Vec3<double> p = grid.worldFromVoxel.point({0, double(v.y), double(v.z)});
        for (std::int64_t i = first; i < first + grid.size.x; ++i, p = p + step) body(std::size_t(i), p);
      },
      4);
}

/// Distance to the contour of `level`, negative where it is.
Volume<float> distanceToContour(const Volume<float>& level, const Progress& progress) {
  const Grid& grid = level.grid;
  const Vec3<double> spacing = grid.spacing();
  const auto far = float(kFarthest * std::min({spacing.x, spacing.y, spacing.z}));
  Volume<float> phi(grid, far);
  const Mesh mesh = contourOf(level, progress.part(0, 0.1, "Distance"));
  if (mesh.triangles.empty()) return phi;

  const TriangleTree tree(mesh);
  Feet feet(phi.values.size());
  const Mask first = bySurface(level, progress.part(0.1, 0.15, "Distance"));
  atVoxels(grid, progress.part(0.15, 0.3, "Distance"), [&](std::size_t i, const Vec3<double>& p) {
    if (first.values[i]) feet.put(i, tree.nearest(p));
  });
  handOn(grid, feet, progress.part(0.3, 0.6, "Distance"));
  const auto reach = float(kExact * std::max({spacing.x, spacing.y, spacing.z}));
  atVoxels(grid, progress.part(0.6, 1, "Distance"), [&](std::size_t i, const Vec3<double>& p) {
    double squared = feet.squaredDistance[i];
    if (!first.values[i] && squared <= reach * reach)
      squared = tree.nearest(p, feet.places[i]).squaredDistance;
    const float distance = std::min(far, float(std::sqrt(squared)));
    phi.values[i] = level.values[i] < 0 ? -distance : distance;
  });
  return phi;
}

}  // namespace

Volume<float> signedDistanceOfMask(const Mask& mask, const Progress& progress) {
  Volume<float> level(mask.grid);
  for (std::size_t i = 0; i < level.values.size(); ++i) level.values[i] = mask.values[i] ? -1.f : 1.f;
  return distanceToContour(level, progress);
}

Volume<float> signedDistanceOfImage(const Volume<float>& image, float threshold, const Progress& progress) {
  const float darkest = checkValues(image.values).low;
  Volume<float> level(image.grid);
  parallelFor(
      image.grid.voxels(), progress.part(0, 0.05, "Distance"),
      [&](std::int64_t i) {
        const float value = image.values[std::size_t(i)];
        level.values[std::size_t(i)] = threshold - (isSound(value) ? value : darkest);
      },
      1 << 16);
  return distanceToContour(level, progress.part(0.05, 1, "Distance"));
}

Volume<float> redistanced(const Volume<float>& phi, const Progress& progress) {
  return distanceToContour(phi, progress);
}

std::vector<double> distancesTo(const Mesh& mesh, const std::vector<Vec3<float>>& points,
                                const Progress& progress) {
  const TriangleTree tree(mesh);
  std::vector<double> distances(points.size());
  parallelFor(std::int64_t(points.size()), progress, [&](std::int64_t i) {
    const Vec3<float>& p = points[std::size_t(i)];
    distances[std::size_t(i)] = std::sqrt(tree.nearest({p.x, p.y, p.z}).squaredDistance);
  });
  return distances;
}

}  // namespace sulcus::io
