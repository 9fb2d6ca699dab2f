#include "core/image/mesh.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

namespace sulcus {

Mesh welded(const Mesh& mesh) {
  const auto place = [&](std::int32_t i) {
    const Vec3<float>& p = mesh.points[i];
    // Coordinates are ordered by their bits, which are ordered for NaN, too; −0 becomes 0.
    const auto bits = [](float v) { return std::bit_cast<std::uint32_t>(v == 0 ? 0.f : v); };
    return std::tuple(bits(p.x), bits(p.y), bits(p.z));
  };
  std::vector<std::int32_t> order(mesh.points.size()), target(mesh.points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return std::tuple(place(a), a) < std::tuple(place(b), b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && place(order[i]) == place(order[i - 1]);
    target[order[i]] = same ? target[order[i - 1]] : order[i];
  }
  Mesh result;
  std::vector<std::int32_t> kept;  // old index of each kept point
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i] == std::int32_t(i)) {
      target[i] = std::int32_t(kept.size());
      kept.push_back(std::int32_t(i));
    } else {
      target[i] = target[target[i]];  // an earlier point, already numbered
    }
  }
  const auto keep = [&](const auto& from, auto& to) {
    to.reserve(kept.size());
    for (const std::int32_t i : kept) to.push_back(from[i]);
  };
  keep(mesh.points, result.points);
  for (const auto& [name, values] : mesh.pointScalars) keep(values, result.pointScalars[name]);
  result.labelTables = mesh.labelTables;
  result.triangles.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles) result.triangles.push_back({target[t[0]], target[t[1]], target[t[2]]});
  return result;
}

}  // namespace sulcus
