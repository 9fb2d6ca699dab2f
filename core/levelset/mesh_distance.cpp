#include "core/levelset/mesh_distance.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/levelset/mesh_measures.h"
#include "core/levelset/signed_distance.h"
#include "core/levelset/triangle_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sulcus::levelset {
namespace {

constexpr int kCube = 8;  // edge of the cubes of voxels that are processed together
/// Distances to a mesh are exact up to this many voxels.
constexpr double kExactEdges = 6;

constexpr double kSteps = 65536;  // per voxel
/// A corner of a triangle in voxel coordinates. The inside is determined along rows of voxels in x. Therefore
/// y and z are integer numbers of steps: the side of an edge on which a row passes is then exact, and no row
/// slips between two triangles.
struct Corner {
  double x;
  std::int64_t y, z;
};

__extension__ using Int128 = __int128;

/// Twice the signed area of the triangle of a, b and the row at (y, z).
Int128 doubleArea(const Corner& a, const Corner& b, std::int64_t y, std::int64_t z) {
  return Int128(b.y - a.y) * (z - a.z) - Int128(b.z - a.z) * (y - a.y);
}

/// The side, −1 or 1, of the edge from a to b on which the row at (y, z) passes. The row is treated as if
/// shifted by (ε, ε²), so that it is never on the edge; 0 only if a and b coincide.
int sideOf(const Corner& a, const Corner& b, std::int64_t y, std::int64_t z) {
  const Int128 value = doubleArea(a, b, y, z);
  if (value != 0) return value > 0 ? 1 : -1;
  if (a.z != b.z) return b.z < a.z ? 1 : -1;
  return int(b.y > a.y) - int(b.y < a.y);
}

/// The orientation of a mesh is consistent if every edge is traversed equally often in both directions.
enum class Orientation { consistent, mixed };

/// Determines the orientation of a closed mesh. Throws Error if an edge belongs to an odd number of
/// triangles, since there is no inside then.
Orientation requireClosed(const Mesh& mesh) {
  struct Edge {
    std::int32_t a, b;
    std::int32_t direction;  ///< 1 if a triangle traverses it from a to b, else −1
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
  Orientation orientation = Orientation::consistent;
  for (std::size_t i = 0; i < edges.size();) {
    const std::size_t first = i;
    int sum = 0;
    for (; i < edges.size() && edges[i].a == edges[first].a && edges[i].b == edges[first].b; ++i)
      sum += edges[i].direction;
    open += (i - first) % 2;
    if (sum != 0) orientation = Orientation::mixed;
  }
  if (open > 0)
    throw Error("The mesh is open", text(open, " edges have no triangle on one side, so it has no inside"),
                "close it in the program that made it, or take a mask of it");
  return orientation;
}

void requireTriangles(const Mesh& mesh) {
  if (mesh.triangles.empty())
    throw Error("The mesh holds no triangles", "there is no surface", "choose another mesh");
}

/// Where a row crosses a triangle, adds the direction of the crossing (±1, or 1 for a mixed orientation) to
/// the first voxel after it.
void addCrossings(const std::array<Corner, 3>& t, Orientation orientation, Volume<float>& crossings) {
  const Vec3<int> size = crossings.grid.size;
  const auto rows = [](std::int64_t low, std::int64_t high, int count) {
    const double first = std::ceil(double(low) / kSteps), last = std::floor(double(high) / kSteps);
    return std::pair(int(std::clamp(first, 0.0, double(count))), int(std::clamp(last, -1.0, count - 1.0)));
  };
  const auto [y0, y1] = rows(std::min({t[0].y, t[1].y, t[2].y}), std::max({t[0].y, t[1].y, t[2].y}), size.y);
  const auto [z0, z1] = rows(std::min({t[0].z, t[1].z, t[2].z}), std::max({t[0].z, t[1].z, t[2].z}), size.z);
  for (int k = z0; k <= z1; ++k)
    for (int j = y0; j <= y1; ++j) {
      const auto y = std::int64_t(j * kSteps), z = std::int64_t(k * kSteps);
      const int side = sideOf(t[0], t[1], y, z);
      if (side == 0 || side != sideOf(t[1], t[2], y, z) || side != sideOf(t[2], t[0], y, z)) continue;
      // The areas are the barycentric coordinates of the crossing.
      const auto a = double(doubleArea(t[1], t[2], y, z)), b = double(doubleArea(t[2], t[0], y, z)),
                 c = double(doubleArea(t[0], t[1], y, z));
      const double x = (a * t[0].x + b * t[1].x + c * t[2].x) / (a + b + c);
      const double behind = std::max(std::floor(x) + 1, 0.0);
      if (behind < size.x)
        crossings(int(behind), j, k) += orientation == Orientation::consistent ? float(side) : 1.f;
    }
}

/// −1 inside and 1 outside, by the crossings before each voxel in its row. With a consistent orientation,
/// voxels where they do not cancel are inside: a body counts whichever way its surface is oriented, and a
/// surface oriented against the one around it is a cavity. With a mixed orientation, voxels with an odd
/// number of crossings are inside.
Volume<float> insideSigns(const Mesh& mesh, Orientation orientation, const Grid& grid,
                          const Progress& progress) {
  Volume<float> signs(grid);
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  std::vector<Corner> corners;
  corners.reserve(mesh.points.size());
  for (const auto& p : mesh.points) {
    const Vec3<double> v = voxelFromWorld.point({p.x, p.y, p.z});
    constexpr double kFar = 1e15;  // steps; outside any grid, but fits into 64 bits
    const auto steps = [=](double v) {
      return std::int64_t(std::clamp(std::round(v * kSteps), -kFar, kFar));
    };
    corners.push_back({v.x, steps(v.y), steps(v.z)});
  }
  for (const auto& t : mesh.triangles)
    addCrossings({corners[t[0]], corners[t[1]], corners[t[2]]}, orientation, signs);
  parallelFor(std::int64_t(grid.size.y) * grid.size.z, 256, progress, [&](std::int64_t row) {
    float sum = 0;
    float* const values = signs.values.data() + row * grid.size.x;
    for (int x = 0; x < grid.size.x; ++x) {
      sum += values[x];
      const bool inside = orientation == Orientation::consistent ? sum != 0 : std::fmod(sum, 2.f) != 0;
      values[x] = inside ? -1.f : 1.f;
    }
  });
  return signs;
}

/// Calls visit(voxel) for each `step`-th voxel along each axis of the cube with this lowest voxel and edge,
/// as far as it lies within the grid.
template <class Visit>
void forCube(const Vec3<int>& low, int edge, int step, const Vec3<int>& size, const Visit& visit) {
  for (int z = low.z; z < std::min(low.z + edge, size.z); z += step)
    for (int y = low.y; y < std::min(low.y + edge, size.y); y += step)
      for (int x = low.x; x < std::min(low.x + edge, size.x); x += step) visit(Vec3<int>{x, y, z});
}

/// Multiplies φ, the signs of the voxels, by their distances. One search from the center of a cube of voxels
/// decides whether all of them are at the largest distance. Otherwise, one search from the center of each
/// block of 2 × 2 × 2 voxels decides whether they are far enough away to share its nearest point; near the
/// surface each voxel is searched for individually.
class DistanceSearch {
 public:
  DistanceSearch(const TriangleTree& tree, Volume<float>& phi) : tree_(tree), phi_(phi) {
    const Vec3<double> spacing = phi.grid.spacing();
    far_ = kFarthest * std::min({spacing.x, spacing.y, spacing.z});
    exact_ = kExactEdges * std::max({spacing.x, spacing.y, spacing.z});
    corner_ = 0.5 * (spacing.x + spacing.y + spacing.z);
  }

  /// @param low   the lowest voxel of the cube
  /// @param near  a point of the surface at which the first search begins; replaced by the last that was
  /// found
  void fillCube(const Vec3<int>& low, NearestPoint& near) const {
    near = nearestToMiddle(low, kCube, near);
    const Vec3<int>& size = phi_.grid.size;
    if (std::sqrt(near.squaredDistance) < far_ + (kCube - 1) * corner_)
      forCube(low, kCube, 2, size, [&](const Vec3<int>& block) { fillBlock(block, near); });
    else
      forCube(low, kCube, 1, size, [&](const Vec3<int>& v) { phi_(v.x, v.y, v.z) *= float(far_); });
  }

 private:
  void fillBlock(const Vec3<int>& low, NearestPoint& near) const {
    near = nearestToMiddle(low, 2, near);
    const bool isNear = std::sqrt(near.squaredDistance) < exact_ + corner_;
    forCube(low, 2, 1, phi_.grid.size, [&](const Vec3<int>& v) {
      const Vec3<double> p = phi_.grid.positionOf(v);
      if (isNear) near = tree_.nearest(p, near.triangle);
      phi_(v.x, v.y, v.z) *= float(std::min(far_, norm(p - near.point)));
    });
  }
  NearestPoint nearestToMiddle(const Vec3<int>& low, int edge, const NearestPoint& near) const {
    const double half = 0.5 * (edge - 1);
    return tree_.nearest(phi_.grid.worldFromVoxel.point({low.x + half, low.y + half, low.z + half}),
                         near.triangle);
  }

  const TriangleTree& tree_;
  Volume<float>& phi_;
  double far_;     ///< the largest distance, mm
  double exact_;   ///< distances up to this are exact, mm
  double corner_;  ///< upper bound of the distance from the center of a block to its corners, mm
};

}  // namespace

Volume<float> signedDistanceOfMesh(const Mesh& given, const Grid& grid, const Progress& progress) {
  requireTriangles(given);
  const Mesh mesh = welded(given);
  const Orientation orientation = requireClosed(mesh);
  progress.update(0.02);
  const TriangleTree tree(mesh);
  Volume<float> phi = insideSigns(mesh, orientation, grid, progress.part(0.05, 0.1, "Inside"));
  const DistanceSearch search(tree, phi);
  const auto cubesAlong = [](int voxels) { return (voxels + kCube - 1) / kCube; };
  const int rows = cubesAlong(grid.size.y);
  parallelFor(std::int64_t(rows) * cubesAlong(grid.size.z), 1, progress.part(0.1, 1, "Distance"),
              [&](std::int64_t row) {
                NearestPoint near;
                for (int x = 0; x < grid.size.x; x += kCube)
                  search.fillCube({x, kCube * int(row % rows), kCube * int(row / rows)}, near);
              });
  return phi;
}

Grid gridAround(const Mesh& mesh, double spacing, double margin) {
  requireTriangles(mesh);
  constexpr double kMost = 1024;
  const MeshBounds bounds = boundsOf(mesh);
  const Vec3<double> low{bounds.low.x, bounds.low.y, bounds.low.z},
      high{bounds.high.x, bounds.high.y, bounds.high.z};
  const double span = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  constexpr double kFewest = 3;    // voxels that a surface must span
  constexpr double kMetres = 0.5;  // mm; anything scanned is larger, while the same number of meters is the
                                   // size of a body
  if (span < kFewest * spacing) {
    const auto problem =
        text("The mesh spans ", span, " mm, less than ", kFewest, " voxels of ", spacing, " mm");
    if (span < kMetres)
      throw Error(problem, "its coordinates may be in meters: they are taken as mm",
                  "save it in mm, with numbers a thousand times as large");
    throw Error(problem, "so no voxel or hardly one would lie inside",
                "take smaller voxels, such as {spacing} "_message + text(span / 50));
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

}  // namespace sulcus::levelset
