#include "core/surface/mesh_measures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sulcus {
namespace {

using Triangle = std::array<std::int32_t, 3>;

Vec3<double> pointOf(const Mesh& mesh, std::int32_t i) {
  const Vec3<float>& p = mesh.points[std::size_t(i)];
  return {p.x, p.y, p.z};
}

/// Points that hang together, as a forest.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::int32_t rootOf(std::int32_t i) {
    while (parent_[std::size_t(i)] != i) {
      auto& up = parent_[std::size_t(i)];
      up = parent_[std::size_t(up)];
      i = up;
    }
    return i;
  }
  void join(std::int32_t a, std::int32_t b) { parent_[std::size_t(rootOf(a))] = rootOf(b); }

 private:
  std::vector<std::int32_t> parent_;
};

struct Edges {
  std::int64_t count = 0, open = 0;
};

/// Where four triangles meet, two surfaces touch: two edges.
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

/// Mean curvature times area and area, by point.
struct Curvature {
  std::vector<double> integral, area;
};

/// Meyer et al. (2003): the normal of the mean curvature by cotangents, areas by Voronoi where no angle is
/// blunt.
Curvature curvatureOf(const Mesh& mesh) {
  Curvature result{std::vector<double>(mesh.points.size()), std::vector<double>(mesh.points.size())};
  std::vector<Vec3<double>> bend(mesh.points.size()), normal(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3<double> p[3] = {pointOf(mesh, t[0]), pointOf(mesh, t[1]), pointOf(mesh, t[2])};
    const Vec3<double> across = cross(p[1] - p[0], p[2] - p[0]);
    const double twice = norm(across);
    if (!(twice > 0)) continue;
    double cotangent[3], square[3];  // at corner k; of the side opposite
    bool blunt = false;
    std::size_t bluntAt = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3<double> u = p[(k + 1) % 3] - p[k], v = p[(k + 2) % 3] - p[k];
      cotangent[k] = dot(u, v) / twice;
      square[k] = dot(u - v, u - v);
      if (cotangent[k] < 0) blunt = true, bluntAt = k;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t n = (k + 1) % 3, l = (k + 2) % 3;
      const auto at = std::size_t(t[k]);
      bend[at] = bend[at] + 0.25 * (cotangent[l] * (p[k] - p[n]) + cotangent[n] * (p[k] - p[l]));
      normal[at] = normal[at] + across;
      result.area[at] += blunt ? (k == bluntAt ? 0.25 : 0.125) * twice
                               : 0.125 * (square[l] * cotangent[l] + square[n] * cotangent[n]);
    }
  }
  for (std::size_t i = 0; i < bend.size(); ++i)
    result.integral[i] = std::copysign(norm(bend[i]), dot(bend[i], normal[i]));
  return result;
}

}  // namespace

std::vector<float> meanCurvatures(const Mesh& mesh) {
  const Curvature curvature = curvatureOf(mesh);
  std::vector<float> result(mesh.points.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = curvature.area[i] > 0 ? float(curvature.integral[i] / curvature.area[i]) : 0;
  return result;
}

MeshMeasures measuresOf(const Mesh& mesh) {
  MeshMeasures result;
  if (mesh.triangles.empty()) return result;
  Sets sets(mesh.points.size());
  std::vector<char> used(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[1], t[2]);
    for (const std::int32_t p : t) used[std::size_t(p)] = 1;
  }
  // Volumes from a point of the surface: far from 0 they would cancel.
  const Vec3<double> origin = pointOf(mesh, mesh.triangles.front()[0]);
  std::vector<double> volumes(mesh.points.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3<double> a = pointOf(mesh, t[0]) - origin, b = pointOf(mesh, t[1]) - origin,
                       c = pointOf(mesh, t[2]) - origin;
    result.area += 0.5 * norm(cross(b - a, c - a));
    volumes[std::size_t(sets.rootOf(t[0]))] += dot(a, cross(b, c)) / 6;
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i] || sets.rootOf(std::int32_t(i)) != std::int32_t(i)) continue;
    ++(volumes[i] < 0 ? result.cavities : result.components);
    result.volume += volumes[i];
  }
  const Edges edges = edgesOf(mesh);
  result.openEdges = edges.open;
  result.euler = std::count(used.begin(), used.end(), 1) - edges.count + std::int64_t(mesh.triangles.size());
  result.handles = int(result.components + result.cavities - result.euler / 2);

  const Curvature curvature = curvatureOf(mesh);
  double mean = 0, absolute = 0;
  for (const double c : curvature.integral) mean += c, absolute += std::abs(c);
  if (result.area > 0)
    result.meanCurvature = mean / result.area, result.meanAbsoluteCurvature = absolute / result.area;
  return result;
}

std::vector<float> sampledAt(const Volume<float>& phi, const std::vector<Vec3<float>>& points) {
  const Affine voxelFromWorld = phi.grid.worldFromVoxel.inverse();
  const Vec3<int> size = phi.grid.size;
  std::vector<float> result;
  result.reserve(points.size());
  for (const auto& point : points) {
    const Vec3<double> p = voxelFromWorld.point({point.x, point.y, point.z});
    int low[3];
    double share[3];
    for (int i = 0; i < 3; ++i) {
      // Past the grid the line goes on.
      low[i] = int(std::clamp(std::floor(p[i]), 0.0, std::max(0.0, size[i] - 2.0)));
      share[i] = size[i] > 1 ? p[i] - low[i] : 0;
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      int at[3];
      for (int i = 0; i < 3; ++i) {
        const bool high = (corner >> i & 1) != 0;
        weight *= high ? share[i] : 1 - share[i];
        at[i] = std::min(low[i] + int(high), size[i] - 1);
      }
      if (weight != 0) sum += weight * phi(at[0], at[1], at[2]);
    }
    result.push_back(float(sum));
  }
  return result;
}

}  // namespace sulcus
