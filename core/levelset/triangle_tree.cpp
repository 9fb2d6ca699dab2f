#include "core/levelset/triangle_tree.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sulcus::levelset {
namespace {

constexpr std::size_t kChildren = 4;  // triangles in a leaf, boxes in any other box

/// The lowest 21 bits of x with two zeros between each.
std::uint64_t spreadBits(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

Vec3<double> toDouble(const Vec3<float>& v) { return {v.x, v.y, v.z}; }

/// The squared distance of p from a box; 0 inside.
template <class Box>
double squaredDistance(const Box& box, const Vec3<double>& p) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = std::max({double(box.low[i]) - p[i], p[i] - double(box.high[i]), 0.0});
    sum += d * d;
  }
  return sum;
}

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
    throw Error("The surface has no triangles", "nothing is near it", "give another one");
  const auto corner = [&](std::size_t t, std::size_t k) {
    return mesh.points[std::size_t(mesh.triangles[t][k])];
  };
  const std::size_t count = mesh.triangles.size();
  Vec3<float> low = corner(0, 0), high = low;
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], corner(t, k)[i]);
        high[i] = std::max(high[i], corner(t, k)[i]);
      }

  std::vector<std::pair<std::uint64_t, std::int32_t>> order(count);  // Z-order code and triangle
  const double cells = (1 << 21) - 1,
               edge = std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-30f});
  for (std::size_t t = 0; t < count; ++t) {
    std::uint64_t code = 0;
    for (int i = 0; i < 3; ++i) {
      const double middle = (double(corner(t, 0)[i]) + corner(t, 1)[i] + corner(t, 2)[i]) / 3;
      code |= spreadBits(std::uint64_t(std::clamp((middle - low[i]) / edge, 0.0, 1.0) * cells)) << i;
    }
    order[t] = {code, std::int32_t(t)};
  }
  std::sort(order.begin(), order.end());

  for (const auto& [code, t] : order)
    corners_.push_back({corner(std::size_t(t), 0), corner(std::size_t(t), 1), corner(std::size_t(t), 2)});
  const auto enlarge = [](Box& box, const Vec3<float>& p) {
    for (int i = 0; i < 3; ++i)
      box.low[i] = std::min(box.low[i], p[i]), box.high[i] = std::max(box.high[i], p[i]);
  };
  std::vector<Box> boxes;
  for (std::size_t t = 0; t < count; ++t) {
    const Corners& at = corners_[t];
    if (t % kChildren == 0) boxes.push_back({at.a, at.a});
    for (const auto& p : {at.a, at.b, at.c}) enlarge(boxes.back(), p);
  }
  levels_.push_back(boxes);
  while (levels_.back().size() > 1) {
    boxes.clear();
    for (std::size_t b = 0; b < levels_.back().size(); ++b) {
      const Box& box = levels_.back()[b];
      if (b % kChildren == 0) boxes.push_back(box);
      enlarge(boxes.back(), box.low);
      enlarge(boxes.back(), box.high);
    }
    levels_.push_back(boxes);
  }
}

NearestPoint TriangleTree::nearestOf(std::int32_t triangle, const Vec3<double>& p) const {
  const Corners& at = corners_[std::size_t(triangle)];
  const Vec3<double> point = nearestOnTriangle(p, toDouble(at.a), toDouble(at.b), toDouble(at.c));
  return {dot(point - p, point - p), point, triangle};
}

NearestPoint TriangleTree::nearest(const Vec3<double>& p, std::int32_t near) const {
  struct OpenBox {
    double squaredDistance;
    std::int32_t level, box;
  };
  NearestPoint best = near < 0 ? NearestPoint{} : nearestOf(near, p);
  std::array<OpenBox, 64> open;  // a stack, large enough for a tree of 2³¹ triangles
  std::size_t count = 0;
  open[count++] = {0, std::int32_t(levels_.size()) - 1, 0};
  while (count > 0) {
    const OpenBox here = open[--count];
    if (here.squaredDistance >= best.squaredDistance) continue;
    const std::size_t from = std::size_t(here.box) * kChildren;
    if (here.level == 0) {
      for (std::size_t t = from; t < std::min(from + kChildren, corners_.size()); ++t) {
        if (const NearestPoint found = nearestOf(std::int32_t(t), p);
            found.squaredDistance < best.squaredDistance)
          best = found;
      }
      continue;
    }
    // The boxes are inserted so that the nearest one is the last of the stack and is opened first.
    const auto& below = levels_[std::size_t(here.level) - 1];
    const std::size_t first = count;
    for (std::size_t b = from; b < std::min(from + kChildren, below.size()); ++b) {
      const double d = squaredDistance(below[b], p);
      if (d >= best.squaredDistance) continue;
      std::size_t place = count++;
      for (; place > first && open[place - 1].squaredDistance < d; --place) open[place] = open[place - 1];
      open[place] = {d, here.level - 1, std::int32_t(b)};
    }
  }
  return best;
}

}  // namespace sulcus::levelset
