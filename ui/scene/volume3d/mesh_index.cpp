#include "ui/scene/volume3d/mesh_index.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::ui::scene {
namespace {

constexpr int kSlabs = 512;

std::array<Vec3<float>, 3> cornersOf(const Mesh& mesh, std::size_t triangle) {
  const auto& t = mesh.triangles[triangle];
  return {mesh.points[std::size_t(t[0])], mesh.points[std::size_t(t[1])], mesh.points[std::size_t(t[2])]};
}

/// Hashes an edge with its direction (the finalizer of SplitMix64, Steele, Lea & Flood 2014).
std::uint64_t scrambled(std::int32_t from, std::int32_t to) {
  std::uint64_t x = std::uint64_t(std::uint32_t(from)) << 32 | std::uint32_t(to);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/// Adds the segment in which a plane cuts a triangle, if it does. `heights`: of the corners above the plane.
void appendCut(const std::array<Vec3<float>, 3>& corners, const std::array<float, 3>& heights,
               std::vector<Vec3<float>>& segments) {
  const auto above = [&](std::size_t c) { return heights[c] >= 0; };
  const int sum = above(0) + above(1) + above(2);
  if (sum == 0 || sum == 3) return;
  // Of the three corners, one is alone on its side of the plane, so both of its edges are cut.
  std::size_t alone = 0;
  while (above(alone) != (sum == 1)) ++alone;
  for (const std::size_t step : {1, 2}) {
    const std::size_t other = (alone + step) % 3;
    const float share = heights[alone] / (heights[alone] - heights[other]);
    segments.push_back(corners[alone] + share * (corners[other] - corners[alone]));
  }
}

}  // namespace

MeshIndex::MeshIndex(const Mesh& mesh, int axis) : axis_(axis), begin_(kSlabs + 1) {
  float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
  for (const auto& point : mesh.points) {
    if (!std::isfinite(point[axis])) continue;
    low = std::min(low, point[axis]);
    high = std::max(high, point[axis]);
  }
  if (low > high) return;
  low_ = low;
  perSlab_ = std::max((high - low) / kSlabs, std::numeric_limits<float>::min());
  const auto forEachSlab = [&](auto&& visit) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto corners = cornersOf(mesh, t);
      const float a = corners[0][axis], b = corners[1][axis], c = corners[2][axis];
      if (!std::isfinite(a + b + c)) continue;
      const int last = slabOf(std::max({a, b, c}));
      for (int slab = slabOf(std::min({a, b, c})); slab <= last; ++slab) visit(slab, t);
    }
  };
  forEachSlab([&](int slab, std::size_t) { ++begin_[std::size_t(slab) + 1]; });
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  triangles_.resize(begin_.back());
  auto next = begin_;
  forEachSlab([&](int slab, std::size_t t) { triangles_[next[std::size_t(slab)]++] = std::uint32_t(t); });
}

int MeshIndex::slabOf(float position) const {
  return int(std::clamp((position - low_) / perSlab_, 0.f, float(kSlabs - 1)));
}

std::vector<Vec3<float>> MeshIndex::cut(const Mesh& mesh, double at) const {
  std::vector<Vec3<float>> segments;
  const auto plane = float(at);
  const auto slab = std::size_t(slabOf(plane));
  for (std::uint32_t i = begin_[slab]; i < begin_[slab + 1]; ++i) {
    const auto corners = cornersOf(mesh, triangles_[i]);
    const std::size_t begin = segments.size();
    appendCut(corners, {corners[0][axis_] - plane, corners[1][axis_] - plane, corners[2][axis_] - plane},
              segments);
    for (std::size_t point = begin; point < segments.size(); ++point) segments[point][axis_] = plane;
  }
  return segments;
}

std::vector<Vec3<float>> cutBy(const Mesh& mesh, const CutPlane& plane) {
  std::vector<Vec3<float>> segments;
  const auto heightOf = [&](const Vec3<float>& p) {
    return float(dot(Vec3<double>{p.x, p.y, p.z} - plane.point, plane.normal));
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto corners = cornersOf(mesh, t);
    const std::array<float, 3> heights{heightOf(corners[0]), heightOf(corners[1]), heightOf(corners[2])};
    if (std::isfinite(heights[0] + heights[1] + heights[2])) appendCut(corners, heights, segments);
  }
  return segments;
}

std::optional<MeshHit> firstHit(const Mesh& mesh, const Vec3<double>& from, const Vec3<double>& direction) {
  // Möller & Trumbore, J Graphics Tools 2 (1997) 21, in single precision from a starting point near the mesh.
  const auto toFloat = [](const Vec3<double>& v) { return Vec3<float>{float(v.x), float(v.y), float(v.z)}; };
  const Vec3<float> start = toFloat(from), along = toFloat(direction);
  constexpr float none = std::numeric_limits<float>::max();
  constexpr float margin = 1e-4f;  // of a triangle: a ray through an edge hits one of the two
  float nearest = none;
  std::size_t hit = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto corners = cornersOf(mesh, t);
    const Vec3<float> u = corners[1] - corners[0], v = corners[2] - corners[0], p = cross(along, v);
    const float determinant = dot(u, p);
    if (determinant == 0) continue;
    const Vec3<float> s = start - corners[0];
    const float a = dot(s, p) / determinant;
    if (!(a >= -margin && a <= 1 + margin)) continue;
    const Vec3<float> q = cross(s, u);
    const float b = dot(along, q) / determinant;
    if (!(b >= -margin && a + b <= 1 + margin)) continue;
    const float distance = dot(v, q) / determinant;
    if (distance >= 0 && distance < nearest) nearest = distance, hit = t;
  }
  if (nearest == none) return std::nullopt;
  const Vec3<float> place = start + nearest * along;
  const auto& corners = mesh.triangles[hit];
  const auto away = [&](std::int32_t point) { return norm(mesh.points[std::size_t(point)] - place); };
  return MeshHit{nearest, *std::min_element(corners.begin(), corners.end(),
                                            [&](auto a, auto b) { return away(a) < away(b); })};
}

bool isClosedOutwards(const Mesh& mesh) {
  // The sum vanishes if each edge is traversed equally often in both directions; by chance once in 2⁶⁴.
  std::uint64_t sum = 0;
  double volume = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corner = mesh.triangles[t];
    for (std::size_t c = 0; c < 3; ++c) {
      const std::int32_t from = corner[c], to = corner[(c + 1) % 3];
      sum += scrambled(from, to) - scrambled(to, from);
    }
    const auto p = cornersOf(mesh, t);
    volume += double(dot(p[0], cross(p[1], p[2])));
  }
  return sum == 0 && volume > 0;
}

}  // namespace sulcus::ui::scene
