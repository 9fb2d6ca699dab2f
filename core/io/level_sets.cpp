#include "core/io/level_sets.h"

#include "core/base/parallel_for.h"
#include "core/surface/band.h"
#include "core/surface/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::io {
namespace {

/// Distances to a contour are exact at voxels whose box lies this near, in voxels.
constexpr double kExact = 6;

/// Nothing is measured beyond, mm.
double farthest(const Grid& grid) {
  const Vec3<double> spacing = grid.spacing();
  return kFarthest * std::min({spacing.x, spacing.y, spacing.z});
}

/// Squared distances to the nearest box of the other kind, positive inside, carried on along one more axis:
/// the distance to a box is separable. Rows of `width` values lie `stride` apart; past the last ones is
/// outside.
void carryAlong(float* rows, int count, std::int64_t stride, int width, double spacing, float far) {
  std::vector<float> before(std::size_t(count) * std::size_t(width));
  for (int r = 0; r < count; ++r)
    std::copy_n(rows + r * stride, width, before.begin() + std::ptrdiff_t(r) * width);
  const std::vector<float> past(std::size_t(width), -far);
  for (int r = 0; r < count; ++r) {
    float* here = rows + r * stride;
    float most = 0;
    for (int i = 0; i < width; ++i) most = std::max(most, std::abs(here[i]));
    for (int way = 1; way <= count; ++way) {
      const auto gap = float((way - 0.5) * (way - 0.5) * spacing * spacing);
      if (gap >= most) break;
      for (const int other : {r - way, r + way}) {
        if (other < -1 || other > count) continue;
        const float* there =
            other < 0 || other == count ? past.data() : before.data() + std::ptrdiff_t(other) * width;
        for (int i = 0; i < width; ++i) {
          const float sign = here[i] < 0 ? -1.f : 1.f;
          here[i] = sign * std::min(sign * here[i], gap + std::max(sign * there[i], 0.f));
        }
      }
    }
  }
}

/// The nearest point of a surface that each voxel knows of.
struct Feet {
  std::vector<Vec3<float>> points;     ///< mm
  std::vector<float> squaredDistance;  ///< mm²
};

/// Each voxel learns from those at its sides, in sweeps up and down each axis: points of the surface that
/// were found nearby are handed on as far as they are the nearest.
void handOn(const Grid& grid, Feet& feet, const Progress& progress) {
  const Vec3<int> size = grid.size;
  const std::int64_t slice = std::int64_t(size.x) * size.y;
  const auto learn = [&](std::int64_t here, std::int64_t there, const Vec3<double>& p) {
    const Vec3<float> foot = feet.points[std::size_t(there)];
    const Vec3<float> way{float(p.x) - foot.x, float(p.y) - foot.y, float(p.z) - foot.z};
    const float squared = dot(way, way);
    if (squared < feet.squaredDistance[std::size_t(here)])
      feet.squaredDistance[std::size_t(here)] = squared, feet.points[std::size_t(here)] = foot;
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
  for (int z = 0; z < size.z; ++z) {
    if (z > 0)
      parallelFor(
          size.y, {}, [&](std::int64_t y) { fromRow(int(y), z, grid.index(0, int(y), z) - slice); }, 16);
    inSlice(z);
    progress.update(0.5 * (z + 1) / size.z);
  }
  for (int z = size.z - 2; z >= 0; --z) {
    parallelFor(
        size.y, {}, [&](std::int64_t y) { fromRow(int(y), z, grid.index(0, int(y), z) + slice); }, 16);
    inSlice(z);
    progress.update(1 - 0.5 * z / size.z);
  }
}

/// Distance to the contour of `level`, negative where it is: exact nearby, of the points of the surface that
/// are the nearest to voxels nearby (some tenths of a voxel too much at most) further away.
Volume<float> distanceToContour(const Volume<float>& level, const Progress& progress) {
  const Grid& grid = level.grid;
  const Vec3<double> spacing = grid.spacing();
  const double nearby = kExact * std::max({spacing.x, spacing.y, spacing.z});
  Mask inside(grid);
  for (std::size_t i = 0; i < level.values.size(); ++i) inside.values[i] = level.values[i] < 0;
  Volume<float> phi = signedDistanceOfMask(inside, progress.part(0, 0.1, "Distance"));
  const Mesh mesh = contourOf(level, progress.part(0.1, 0.2, "Distance"));
  if (mesh.triangles.empty()) return phi;

  const TriangleTree tree(mesh);
  const Vec3<float> nowhere{1e18f, 1e18f, 1e18f};
  Feet feet{std::vector<Vec3<float>>(phi.values.size(), nowhere),
            std::vector<float>(phi.values.size(), std::numeric_limits<float>::infinity())};
  const Vec3<double> step = grid.worldFromVoxel.column(0);
  parallelFor(
      std::int64_t(grid.size.y) * grid.size.z, progress.part(0.2, 0.7, "Distance"),
      [&](std::int64_t row) {
        const std::int64_t first = row * grid.size.x;
        const Vec3<int> v = grid.voxel(first);
        Vec3<double> p = grid.worldFromVoxel.point({0, double(v.y), double(v.z)});
        NearestPoint last;
        for (auto i = std::size_t(first); i < std::size_t(first + grid.size.x); ++i, p = p + step) {
          if (std::abs(phi.values[i]) > nearby) continue;
          last = tree.nearest(p, last);
          feet.points[i] = {float(last.point.x), float(last.point.y), float(last.point.z)};
          feet.squaredDistance[i] = float(last.squaredDistance);
        }
      },
      4);
  handOn(grid, feet, progress.part(0.7, 1, "Distance"));
  const auto far = float(farthest(grid));
  for (std::size_t i = 0; i < phi.values.size(); ++i) {
    const float distance = std::min(far, std::sqrt(feet.squaredDistance[i]));
    phi.values[i] = inside.values[i] ? -distance : distance;
  }
  return phi;
}

}  // namespace

Volume<float> signedDistanceOfMask(const Mask& mask, const Progress& progress) {
  const Grid& grid = mask.grid;
  const Vec3<int> size = grid.size;
  const Vec3<double> spacing = grid.spacing();
  const auto limit = float(farthest(grid)), far = limit * limit;
  Volume<float> phi(grid);
  // Along x, from both ends: how far the other kind is.
  parallelFor(
      std::int64_t(size.y) * size.z, progress.part(0, 0.1, "Distance"),
      [&](std::int64_t row) {
        const std::uint8_t* in = mask.values.data() + row * size.x;
        float* out = phi.values.data() + row * size.x;
        const auto sweep = [&](int from, int to, int step) {
          bool inside = false;                                   // before the first
          double way = std::numeric_limits<double>::infinity();  // to the last of the other kind
          for (int x = from; x != to; x += step) {
            way = (in[x] != 0) != inside ? 1 : way + 1;
            inside = in[x] != 0;
            const auto squared = float((way - 0.5) * (way - 0.5) * spacing.x * spacing.x);
            out[x] = std::min(out[x], squared);
          }
        };
        std::fill_n(out, size.x, far);
        sweep(0, size.x, 1);
        sweep(size.x - 1, -1, -1);
        for (int x = 0; x < size.x; ++x)
          if (in[x] == 0) out[x] = -out[x];
      },
      256);
  const std::int64_t slice = std::int64_t(size.x) * size.y;
  parallelFor(
      size.z, progress.part(0.1, 0.5, "Distance"),
      [&](std::int64_t z) {
        carryAlong(phi.values.data() + z * slice, size.y, size.x, size.x, spacing.y, far);
      },
      1);
  parallelFor(
      size.y, progress.part(0.5, 0.9, "Distance"),
      [&](std::int64_t y) {
        carryAlong(phi.values.data() + y * size.x, size.z, slice, size.x, spacing.z, far);
      },
      1);
  parallelFor(
      grid.voxels(), progress.part(0.9, 1, "Distance"),
      [&](std::int64_t i) {
        float& value = phi.values[std::size_t(i)];
        value = value < 0 ? std::sqrt(-value) : -std::sqrt(value);
      },
      1 << 16);
  return phi;
}

Volume<float> signedDistanceOfImage(const Volume<float>& image, float threshold, const Progress& progress) {
  float darkest = std::numeric_limits<float>::infinity(), brightest = -darkest;
  for (const float value : image.values)
    if (std::isfinite(value)) darkest = std::min(darkest, value), brightest = std::max(brightest, value);
  Volume<float> level(image.grid);
  parallelFor(
      image.grid.voxels(), progress.part(0, 0.05, "Distance"),
      [&](std::int64_t i) {
        const float value = image.values[std::size_t(i)];
        level.values[std::size_t(i)] =
            threshold - (std::isnan(value) ? darkest : std::clamp(value, darkest, brightest));
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
