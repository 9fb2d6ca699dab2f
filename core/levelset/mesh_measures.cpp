#include "core/levelset/mesh_measures.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sulcus::levelset {
namespace {

using Triangle = std::array<std::int32_t, 3>;

Vec3<double> pointOf(const Mesh& mesh, std::int32_t i) {
  const Vec3<float>& p = mesh.points[i];
  return {p.x, p.y, p.z};
}

/// Sets of connected points (union-find).
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::int32_t rootOf(std::int32_t i) {
    while (parent_[i] != i) {
      auto& up = parent_[i];
      up = parent_[up];
      i = up;
    }
    return i;
  }
  void join(std::int32_t a, std::int32_t b) { parent_[rootOf(a)] = rootOf(b); }

 private:
  std::vector<std::int32_t> parent_;
};

struct Edges {
  std::int64_t count = 0, open = 0;
};

/// The edges of a mesh. Where four triangles meet, two surfaces touch, which counts as two edges.
Edges edgesOf(const Mesh& mesh) {
  std::vector<std::uint64_t> uses;
  uses.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(t[k], t[(k + 1) % 3]);
      uses.push_back(std::uint64_t(a) << 32 | std::uint64_t(b));
    }
  std::sort(uses.begin(), uses.end());
  Edges edges;
  for (std::size_t from = 0, to = 0; from < uses.size(); from = to) {
    while (to < uses.size() && uses[to] == uses[from]) ++to;
    edges.count += std::int64_t(to - from + 1) / 2;
    edges.open += std::int64_t(to - from) % 2;
  }
  return edges;
}

/// The area around each point in mm², and the integral of the mean curvature over it in mm.
struct Curvature {
  std::vector<double> integral, area;
};

/// The method is that of Meyer, Desbrun, Schröder & Barr, Visualization and Mathematics III (2003) 35: the
/// normal of the mean curvature by cotangents, and areas that are Voronoi cells in triangles without an
/// obtuse angle.
Curvature curvatureOf(const Mesh& mesh) {
  Curvature result{std::vector<double>(mesh.points.size()), std::vector<double>(mesh.points.size())};
  std::vector<Vec3<double>> curvatureNormal(mesh.points.size()), normal(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3<double> p[3] = {pointOf(mesh, t[0]), pointOf(mesh, t[1]), pointOf(mesh, t[2])};
    const Vec3<double> faceNormal = cross(p[1] - p[0], p[2] - p[0]);
    const double doubleArea = norm(faceNormal);
    if (!(doubleArea > 0)) continue;
    double cotangent[3], squaredSide[3];  // of the angle at corner k, and of the side opposite to it
    bool obtuse = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3<double> u = p[(k + 1) % 3] - p[k], v = p[(k + 2) % 3] - p[k];
      cotangent[k] = dot(u, v) / doubleArea;
      squaredSide[k] = dot(u - v, u - v);
      obtuse = obtuse || cotangent[k] < 0;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t n = (k + 1) % 3, l = (k + 2) % 3;
      const auto at = std::size_t(t[k]);
      curvatureNormal[at] =
          curvatureNormal[at] + 0.25 * (cotangent[l] * (p[k] - p[n]) + cotangent[n] * (p[k] - p[l]));
      normal[at] = normal[at] + faceNormal;
      if (obtuse)
        result.area[at] += (cotangent[k] < 0 ? 0.25 : 0.125) * doubleArea;
      else
        result.area[at] += 0.125 * (squaredSide[l] * cotangent[l] + squaredSide[n] * cotangent[n]);
    }
  }
  for (std::size_t i = 0; i < normal.size(); ++i)
    result.integral[i] = std::copysign(norm(curvatureNormal[i]), dot(curvatureNormal[i], normal[i]));
  return result;
}

/// Computes area, volume and the numbers of bodies and cavities; returns the number of points that belong to
/// a triangle.
std::int64_t measureBodies(const Mesh& mesh, MeshMeasures& result) {
  DisjointSets sets(mesh.points.size());
  std::vector<char> used(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[1], t[2]);
    for (const std::int32_t p : t) used[p] = 1;
  }
  // The apex of the summed tetrahedra is a point of the surface, since with a distant origin large volumes
  // would cancel.
  const Vec3<double> origin = pointOf(mesh, mesh.triangles.front()[0]);
  std::vector<double> volumes(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3<double> a = pointOf(mesh, t[0]) - origin, b = pointOf(mesh, t[1]) - origin,
                       c = pointOf(mesh, t[2]) - origin;
    result.area += 0.5 * norm(cross(b - a, c - a));
    volumes[sets.rootOf(t[0])] += dot(a, cross(b, c)) / 6;
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i] || sets.rootOf(std::int32_t(i)) != std::int32_t(i)) continue;
    ++(volumes[i] < 0 ? result.cavities : result.components);
    result.volume += volumes[i];
  }
  return std::count(used.begin(), used.end(), 1);
}

}  // namespace

MeshBounds boundsOf(const Mesh& mesh) {
  const Vec3<float>& first = mesh.points[mesh.triangles[0][0]];
  MeshBounds bounds{first, first};
  for (const Triangle& t : mesh.triangles)
    for (const std::int32_t corner : t)
      for (int i = 0; i < 3; ++i) {
        const float at = mesh.points[corner][i];
        bounds.low[i] = std::min(bounds.low[i], at);
        bounds.high[i] = std::max(bounds.high[i], at);
      }
  return bounds;
}

MeshMeasures measuresOf(const Mesh& mesh) {
  MeshMeasures result;
  if (mesh.triangles.empty()) return result;
  std::int64_t points = 0;
  Edges edges;
  Curvature curvature;
  parallelInvoke({[&] { points = measureBodies(mesh, result); }, [&] { edges = edgesOf(mesh); },
                  [&] { curvature = curvatureOf(mesh); }});
  result.openEdges = edges.open;
  result.euler = points - edges.count + std::int64_t(mesh.triangles.size());
  result.handles = int(result.components + result.cavities - result.euler / 2);

  if (!(result.area > 0)) return result;
  double sum = 0, absolute = 0;
  for (const double c : curvature.integral) {
    sum += c;
    absolute += std::abs(c);
  }
  result.meanCurvature = sum / result.area;
  result.meanAbsoluteCurvature = absolute / result.area;
  return result;
}

std::vector<float> sampledAt(const Volume<float>& phi, const std::vector<Vec3<float>>& points) {
  const Affine voxelFromWorld = phi.grid.worldFromVoxel.inverse();
  std::vector<float> result(points.size());
  parallelFor(std::ssize(points), {}, [&](std::int64_t i) {
    const Vec3<float>& point = points[i];
    const Vec3<double> p = voxelFromWorld.point({point.x, point.y, point.z});
    const Cell<double> cell = extendedCellAt(phi.grid.size, p.x, p.y, p.z);
    const auto steps = cornerSteps(cell);
    const auto weights = cornerWeights(cell);
    double sum = 0;
    for (std::size_t corner = 0; corner < 8; ++corner)
      if (weights[corner] != 0) sum += weights[corner] * phi.values[cell.corner + steps[corner]];
    result[i] = float(sum);
  });
  return result;
}

}  // namespace sulcus::levelset
