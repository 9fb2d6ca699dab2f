#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/base/sentence.h"
#include "core/io/level_sets.h"
#include "core/io/mesh_files.h"
#include "core/surface/band.h"
#include "core/surface/triangle_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sulcus::io {
namespace {

constexpr int kCube = 8;
/// Distances to a mesh are exact this near, in voxels.
constexpr double kExact = 6;

/// A corner in voxel coordinates. Across the rows in whole steps, so that it is exact on which side of an
/// edge a row passes, and no row slips between two triangles.
constexpr double kSteps = 65536;  // per voxel
struct Corner {
  double x;
  std::int64_t y, z;
};

__extension__ using Wide = __int128;

Wide area(const Corner& a, const Corner& b, std::int64_t y, std::int64_t z) {
  return Wide(b.y - a.y) * (z - a.z) - Wide(b.z - a.z) * (y - a.y);
}

/// On which side of the edge a row at (y, z) passes, as if it were moved by (ε, ε²): never on the edge.
int side(const Corner& a, const Corner& b, std::int64_t y, std::int64_t z) {
  const Wide value = area(a, b, y, z);
  if (value != 0) return value > 0 ? 1 : -1;
  if (a.z != b.z) return b.z < a.z ? 1 : -1;
  return b.y > a.y ? 1 : b.y < a.y ? -1 : 0;
}

/// Whether all edges have as many triangles one way round as the other.
enum class Turning { consistent, mixed };

/// Throws Error for a mesh with edges of an odd number of triangles: then there is no inside.
Turning requireClosed(const Mesh& mesh) {
  struct Edge {
    std::int32_t a, b, way;
  };
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int32_t a = t[i], b = t[(i + 1) % 3];
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& e, const Edge& f) { return std::pair(e.a, e.b) < std::pair(f.a, f.b); });
  std::int64_t open = 0;
  Turning turning = Turning::consistent;
  for (std::size_t i = 0; i < edges.size();) {
    const std::size_t first = i;
    int sum = 0;
    for (; i < edges.size() && edges[i].a == edges[first].a && edges[i].b == edges[first].b; ++i)
      sum += edges[i].way;
    open += (i - first) % 2;
    if (sum != 0) turning = Turning::mixed;
  }
  if (open > 0)
    throw Error("The mesh is open", text(open, " edges have no triangle on one side, so it has no inside"),
                "close it in the program that made it, or take a mask of it");
  return turning;
}

void requireTriangles(const Mesh& mesh) {
  if (mesh.triangles.empty())
    throw Error("The mesh holds no triangles", "there is no surface", "choose another mesh");
}

/// Adds to each row, where it passes a triangle, which way it does; in voxels that lie behind.
void addPasses(const std::array<Corner, 3>& t, Turning turning, Volume<float>& passes) {
  const Vec3<int> size = passes.grid.size;
  const auto rows = [](std::int64_t low, std::int64_t high, int count) {
    const double first = std::ceil(double(low) / kSteps), last = std::floor(double(high) / kSteps);
    return std::pair(int(std::clamp(first, 0.0, double(count))), int(std::clamp(last, -1.0, count - 1.0)));
  };
  const auto [y0, y1] = rows(std::min({t[0].y, t[1].y, t[2].y}), std::max({t[0].y, t[1].y, t[2].y}), size.y);
  const auto [z0, z1] = rows(std::min({t[0].z, t[1].z, t[2].z}), std::max({t[0].z, t[1].z, t[2].z}), size.z);
  for (int k = z0; k <= z1; ++k)
    for (int j = y0; j <= y1; ++j) {
      const auto y = std::int64_t(j * kSteps), z = std::int64_t(k * kSteps);
      const int way = side(t[0], t[1], y, z);
      if (way == 0 || way != side(t[1], t[2], y, z) || way != side(t[2], t[0], y, z)) continue;
      const auto a = double(area(t[1], t[2], y, z)), b = double(area(t[2], t[0], y, z)),
                 c = double(area(t[0], t[1], y, z));
      const double x = (a * t[0].x + b * t[1].x + c * t[2].x) / (a + b + c);
      const double behind = std::max(std::floor(x) + 1, 0.0);
      if (behind < size.x) passes(int(behind), j, k) += turning == Turning::consistent ? float(way) : 1.f;
    }
}

/// −1 inside, 1 outside, by how often each row of voxels went in and out before. A surface around a body
/// counts the same whichever way it is turned; one that is turned against the one around it is a cavity.
Volume<float> sidesOf(const Mesh& mesh, Turning turning, const Grid& grid, const Progress& progress) {
  Volume<float> sides(grid);
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  std::vector<Corner> corners;
  corners.reserve(mesh.points.size());
  for (const auto& p : mesh.points) {
    const Vec3<double> v = voxelFromWorld.point({p.x, p.y, p.z});
    constexpr double kFar = 1e15;  // steps: outside of any grid, and it fits
    const auto steps = [=](double v) {
      return std::int64_t(std::clamp(std::round(v * kSteps), -kFar, kFar));
    };
    corners.push_back({v.x, steps(v.y), steps(v.z)});
  }
  for (const auto& t : mesh.triangles)
    addPasses({corners[std::size_t(t[0])], corners[std::size_t(t[1])], corners[std::size_t(t[2])]}, turning,
              sides);
  parallelFor(std::int64_t(grid.size.y) * grid.size.z, progress, [&](std::int64_t row) {
    float sum = 0;
    float* const values = sides.values.data() + row * grid.size.x;
    for (int x = 0; x < grid.size.x; ++x) {
      sum += values[x];
      const bool inside = turning == Turning::consistent ? sum != 0 : std::fmod(sum, 2.f) != 0;
      values[x] = inside ? -1.f : 1.f;
    }
  });
  return sides;
}

}  // namespace

Volume<float> signedDistanceOfMesh(const Mesh& given, const Grid& grid, const Progress& progress) {
  requireTriangles(given);
  const Mesh mesh = welded(given);
  const Turning turning = requireClosed(mesh);
  progress.update(0.02);
  const TriangleTree tree(mesh);
  Volume<float> phi = sidesOf(mesh, turning, grid, progress.part(0.05, 0.1, "Inside"));
  const Vec3<double> spacing = grid.spacing();
  const double edge = std::max({spacing.x, spacing.y, spacing.z}),
               far = kFarthest * std::min({spacing.x, spacing.y, spacing.z});
  // Of cubes whose middle is further than the farthest nothing more is asked; of blocks of two voxels each
  // way whose middle lies further than what counts all have the middle's nearest point.
  const double corner = 0.5 * (spacing.x + spacing.y + spacing.z);
  const auto parts = [](int voxels, int side) { return (voxels + side - 1) / side; };
  const Vec3<int> size = grid.size, cubes{parts(size.x, kCube), parts(size.y, kCube), parts(size.z, kCube)};
  const auto place = [&](double x, double y, double z) { return grid.worldFromVoxel.point({x, y, z}); };
  const auto fillBlock = [&](const Vec3<int>& low, bool within, NearestPoint& near) {
    if (within) near = tree.nearest(place(low.x + 0.5, low.y + 0.5, low.z + 0.5), near.place);
    const bool exact = within && std::sqrt(near.squaredDistance) < kExact * edge + corner;
    const Vec3<double> middles = near.point;
    for (int z = low.z; z < std::min(low.z + 2, size.z); ++z)
      for (int y = low.y; y < std::min(low.y + 2, size.y); ++y)
        for (int x = low.x; x < std::min(low.x + 2, size.x); ++x) {
          const Vec3<double> p = place(x, y, z);
          if (exact) near = tree.nearest(p, near.place);
          const double distance = within ? norm(p - (exact ? near.point : middles)) : far;
          phi(x, y, z) *= float(std::min(far, distance));
        }
  };
  parallelFor(
      std::int64_t(cubes.y) * cubes.z, progress.part(0.1, 1, "Distance"),
      [&](std::int64_t row) {
        NearestPoint near;
        for (int c = 0; c < cubes.x; ++c) {
          const Vec3<int> low{kCube * c, kCube * int(row % cubes.y), kCube * int(row / cubes.y)};
          const double half = 0.5 * (kCube - 1);
          near = tree.nearest(place(low.x + half, low.y + half, low.z + half), near.place);
          const bool within = std::sqrt(near.squaredDistance) < far + (kCube - 1) * corner;
          for (int z = low.z; z < std::min(low.z + kCube, size.z); z += 2)
            for (int y = low.y; y < std::min(low.y + kCube, size.y); y += 2)
              for (int x = low.x; x < std::min(low.x + kCube, size.x); x += 2)
                fillBlock({x, y, z}, within, near);
        }
      },
      1);
  return phi;
}

Grid gridAround(const Mesh& mesh, double spacing, double margin) {
  requireTriangles(mesh);
  constexpr double kMost = 1024;
  const Vec3<float>& first = mesh.points[std::size_t(mesh.triangles[0][0])];
  Vec3<double> low{first.x, first.y, first.z}, high = low;
  for (const auto& t : mesh.triangles)
    for (const std::int32_t corner : t)
      for (int i = 0; i < 3; ++i) {
        const double at = mesh.points[std::size_t(corner)][i];
        low[i] = std::min(low[i], at), high[i] = std::max(high[i], at);
      }
  Grid grid;
  grid.worldFromVoxel.m = {{{spacing, 0, 0}, {0, spacing, 0}, {0, 0, spacing}}};
  for (int i = 0; i < 3; ++i) {
    const double voxels = std::ceil((high[i] - low[i] + 2 * margin) / spacing) + 1;
    if (!(voxels <= kMost))
      throw Error(
          text("Voxels of ", spacing, " mm are too small for this mesh"),
          text("it spans ", high[i] - low[i], " mm, and a grid has at most 1024 voxels along an axis"),
          "take larger voxels");
    grid.size[i] = int(voxels);
    grid.worldFromVoxel.t[i] = 0.5 * (low[i] + high[i]) - 0.5 * (voxels - 1) * spacing;
  }
  return grid;
}

}  // namespace sulcus::io
