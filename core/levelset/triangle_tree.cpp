#include "core/levelset/triangle_tree.h"

#include "core/base/error.h"
#include "core/levelset/mesh_measures.h"
#include "core/math/simd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace sulcus::levelset {
namespace {

/// The lowest 21 bits of x with two zeros between successive bits.
std::uint64_t spreadBits(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

Vec3<double> toDouble(const Vec3<float>& v) { return {v.x, v.y, v.z}; }

/// The triangles of a mesh in the order of a Z-order curve through their centers.
std::vector<std::int32_t> alongCurve(const Mesh& mesh, const MeshBounds& bounds) {
  const auto& [low, high] = bounds;
  const double cells = (1 << 21) - 1,
               edge = std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-30f});
  std::vector<std::pair<std::uint64_t, std::int32_t>> order;  // place on the curve and triangle
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    std::uint64_t code = 0;
    for (int i = 0; i < 3; ++i) {
      const double center = (double(mesh.points[a][i]) + mesh.points[b][i] + mesh.points[c][i]) / 3;
      code |= spreadBits(std::uint64_t(std::clamp((center - low[i]) / edge, 0.0, 1.0) * cells)) << i;
    }
    order.emplace_back(code, std::int32_t(t));
  }
  std::sort(order.begin(), order.end());
  std::vector<std::int32_t> triangles;
  for (const auto& [code, t] : order) triangles.push_back(t);
  return triangles;
}

/// The squared distances from a point to N boxes, of which each side has been moved out by `margin`.
template <int N>
FloatPack<N> squaredDistances(const float (&low)[3][N], const float (&high)[3][N], const float* point,
                              float margin) {
  using Pack = FloatPack<N>;
  Pack squared = 0.f;
  for (int i = 0; i < 3; ++i) {
    const Pack below = load<Pack>(low[i]) - Pack(point[i]), above = Pack(point[i]) - load<Pack>(high[i]);
    const Pack gap = larger(larger(below, above) - Pack(margin), Pack(0.f));
    squared = fusedMultiplyAdd(gap, gap, squared);
  }
  return squared;
}

/// A stack of the groups of boxes that are still to be opened; large enough for a tree of 2³¹ triangles.
struct OpenBoxes {
  struct Group {
    float squaredDistance;
    std::int32_t level, place;
  };
  std::array<Group, 96> groups;
  std::size_t count = 0;

  /// Adds a group; of those from `first` on the nearest stays at the top and is opened first.
  void add(const Group& group, std::size_t first) {
    std::size_t place = count++;
    for (; place > first && groups[place - 1].squaredDistance < group.squaredDistance; --place)
      groups[place] = groups[place - 1];
    groups[place] = group;
  }
};

}  // namespace

Vec3<double> nearestOnTriangle(const Vec3<double>& p, const Vec3<double>& a, const Vec3<double>& b,
                               const Vec3<double>& c) {
  const auto ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const auto bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + (d1 / (d1 - d3)) * ab;
  const auto cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + (d2 / (d2 - d6)) * ac;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) return b + ((d4 - d3) / (d4 - d3 + d5 - d6)) * (c - b);
  const double sum = va + vb + vc;
  if (!(sum > 0)) return a;  // the triangle has no area
  return a + (vb / sum) * ab + (vc / sum) * ac;
}

TriangleTree::TriangleTree(const Mesh& mesh) {
  if (mesh.triangles.empty())
    throw Error("The surface has no triangles", "distances to it are undefined", "give another one");
  const MeshBounds bounds = boundsOf(mesh);
  for (int i = 0; i < 3; ++i)
    largest_ = std::max({largest_, std::abs(bounds.low[i]), std::abs(bounds.high[i])});
  for (const std::int32_t t : alongCurve(mesh, bounds)) {
    const auto& corners = mesh.triangles[t];
    const auto corner = [&](std::size_t k) { return mesh.points[corners[k]]; };
    corners_.push_back({corner(0), corner(1), corner(2)});
  }
  levels_.push_back(grouped(corners_.size(), [&](std::size_t t, int axis) {
    const Corners& at = corners_[t];
    return std::minmax({at.a[axis], at.b[axis], at.c[axis]});
  }));
  while (levels_.back().size() > 1) {
    const std::vector<Boxes>& below = levels_.back();
    levels_.push_back(grouped(below.size(), [&](std::size_t b, int axis) {
      return std::pair(std::ranges::min(below[b].low[axis]), std::ranges::max(below[b].high[axis]));
    }));
  }
}

template <class RangeOf>
std::vector<TriangleTree::Boxes> TriangleTree::grouped(std::size_t count, const RangeOf& rangeOf) {
  constexpr float kNone = std::numeric_limits<float>::infinity();
  Boxes empty;
  for (int axis = 0; axis < 3; ++axis) {
    std::ranges::fill(empty.low[axis], kNone);
    std::ranges::fill(empty.high[axis], -kNone);
  }
  std::vector<Boxes> groups((count + kBoxes - 1) / kBoxes, empty);
  for (std::size_t i = 0; i < count; ++i)
    for (int axis = 0; axis < 3; ++axis)
      std::tie(groups[i / kBoxes].low[axis][i % kBoxes], groups[i / kBoxes].high[axis][i % kBoxes]) =
          rangeOf(i, axis);
  return groups;
}

NearestPoint TriangleTree::nearestOf(std::int32_t triangle, const Vec3<double>& p) const {
  const Corners& at = corners_[triangle];
  const Vec3<double> point = nearestOnTriangle(p, toDouble(at.a), toDouble(at.b), toDouble(at.c));
  return {dot(point - p, point - p), point, triangle};
}

NearestPoint TriangleTree::nearest(const Vec3<double>& p, std::int32_t near) const {
  using Pack = FloatPack<kBoxes>;
  NearestPoint best = near < 0 ? NearestPoint{} : nearestOf(near, p);
  // Distances of boxes are lower bounds: the rounding error of float is subtracted, and a share is added to
  // the distances they are compared with.
  const float at[3] = {float(p.x), float(p.y), float(p.z)};
  const float lost = 4 * std::numeric_limits<float>::epsilon() *
                     std::max({largest_, std::abs(at[0]), std::abs(at[1]), std::abs(at[2])});
  const auto limitOf = [](double squaredDistance) { return float(squaredDistance * (1 + 1e-6)); };
  float limit = limitOf(best.squaredDistance);
  OpenBoxes open;
  open.add({0, std::int32_t(levels_.size()) - 1, 0}, 0);
  while (open.count > 0) {
    const OpenBoxes::Group here = open.groups[--open.count];
    if (here.squaredDistance > limit) continue;
    const Boxes& boxes = levels_[here.level][here.place];
    const Pack squared = squaredDistances(boxes.low, boxes.high, at, lost);
    const std::size_t first = open.count,
                      end = here.level == 0 ? corners_.size() : levels_[std::size_t(here.level) - 1].size();
    for (unsigned lanes = laneBits(squared <= Pack(limit)); lanes != 0; lanes &= lanes - 1) {
      const int lane = __builtin_ctz(lanes);
      const std::int32_t box = here.place * kBoxes + lane;
      const float distance = squared.v[lane];
      if (std::size_t(box) >= end) break;
      if (here.level > 0) {
        open.add({distance, here.level - 1, box}, first);
      } else if (distance <= limit) {
        const NearestPoint found = nearestOf(box, p);
        if (found.squaredDistance < best.squaredDistance) best = found;
        limit = limitOf(best.squaredDistance);
      }
    }
  }
  return best;
}

}  // namespace sulcus::levelset
