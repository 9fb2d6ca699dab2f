#include "core/levelset/triangle_tree.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/simd.h"

#include <algorithm>
#include <array>
#include <cmath>
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
  const auto groupsOf = [](std::size_t boxes) {
    constexpr float kNone = std::numeric_limits<float>::infinity();
    Boxes empty;
    for (int i = 0; i < 3; ++i)
      std::ranges::fill(empty.low[i], kNone), std::ranges::fill(empty.high[i], -kNone);
    return std::vector<Boxes>((boxes + kBoxes - 1) / kBoxes, empty);
  };
  levels_.push_back(groupsOf(count));
  for (std::size_t t = 0; t < count; ++t) {
    const Corners& at = corners_[t];
    Boxes& boxes = levels_.back()[t / kBoxes];
    for (int i = 0; i < 3; ++i) {
      boxes.low[i][t % kBoxes] = std::min({at.a[i], at.b[i], at.c[i]});
      boxes.high[i][t % kBoxes] = std::max({at.a[i], at.b[i], at.c[i]});
    }
  }
  while (levels_.back().size() > 1) {
    const std::vector<Boxes>& below = levels_.back();
    std::vector<Boxes> level = groupsOf(below.size());
    for (std::size_t b = 0; b < below.size(); ++b)
      for (int i = 0; i < 3; ++i) {
        level[b / kBoxes].low[i][b % kBoxes] = std::ranges::min(below[b].low[i]);
        level[b / kBoxes].high[i][b % kBoxes] = std::ranges::max(below[b].high[i]);
      }
    levels_.push_back(std::move(level));
  }
  for (int i = 0; i < 3; ++i) largest_ = std::max({largest_, std::abs(low[i]), std::abs(high[i])});
}

NearestPoint TriangleTree::nearestOf(std::int32_t triangle, const Vec3<double>& p) const {
  const Corners& at = corners_[std::size_t(triangle)];
  const Vec3<double> point = nearestOnTriangle(p, toDouble(at.a), toDouble(at.b), toDouble(at.c));
  return {dot(point - p, point - p), point, triangle};
}

NearestPoint TriangleTree::nearest(const Vec3<double>& p, std::int32_t near) const {
  using Pack = FloatPack<kBoxes>;
  struct OpenBoxes {
    float squaredDistance;
    std::int32_t level, place;
  };
  NearestPoint best = near < 0 ? NearestPoint{} : nearestOf(near, p);
  // Distances of boxes are lower bounds: the rounding error of float is subtracted, and a share is added to
  // the distances they are compared with.
  const float at[3] = {float(p.x), float(p.y), float(p.z)};
  const float lost = 4 * std::numeric_limits<float>::epsilon() *
                     std::max({largest_, std::abs(at[0]), std::abs(at[1]), std::abs(at[2])});
  const auto limitOf = [](double squaredDistance) { return float(squaredDistance * (1 + 1e-6)); };
  float limit = limitOf(best.squaredDistance);
  std::array<OpenBoxes, 96> open;  // a stack, large enough for a tree of 2³¹ triangles
  std::size_t count = 0;
  open[count++] = {0, std::int32_t(levels_.size()) - 1, 0};
  while (count > 0) {
    const OpenBoxes here = open[--count];
    if (here.squaredDistance > limit) continue;
    const Boxes& boxes = levels_[std::size_t(here.level)][std::size_t(here.place)];
    Pack squared = 0.f;
    for (int i = 0; i < 3; ++i) {
      const Pack below = load<Pack>(boxes.low[i]) - Pack(at[i]),
                 above = Pack(at[i]) - load<Pack>(boxes.high[i]);
      const Pack gap = larger(larger(below, above) - Pack(lost), Pack(0.f));
      squared = fusedMultiplyAdd(gap, gap, squared);
    }
    const std::size_t first = count, boxesHere = here.level == 0
                                                     ? corners_.size()
                                                     : levels_[std::size_t(here.level) - 1].size();
    for (unsigned lanes = laneBits(squared <= Pack(limit)); lanes != 0; lanes &= lanes - 1) {
      const int lane = __builtin_ctz(lanes);
      const std::int32_t box = here.place * kBoxes + lane;
      const float distance = squared.v[lane];
      if (std::size_t(box) >= boxesHere) break;
      if (here.level > 0) {
        // The nearest boxes are at the top of the stack and are opened first.
        std::size_t place = count++;
        for (; place > first && open[place - 1].squaredDistance < distance; --place)
          open[place] = open[place - 1];
        open[place] = {distance, here.level - 1, box};
      } else if (distance <= limit) {
        if (const NearestPoint found = nearestOf(box, p); found.squaredDistance < best.squaredDistance)
          best = found, limit = limitOf(best.squaredDistance);
      }
    }
  }
  return best;
}

}  // namespace sulcus::levelset
