#pragma once

#include "core/image/mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sulcus::test {

/// An axis-aligned box of 8 points and 12 triangles, counter-clockwise seen from outside.
inline Mesh boxMesh(const Vec3<float>& low, const Vec3<float>& high) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
  const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

/// A sphere from an octahedron whose triangles were subdivided into four, `times` times.
inline Mesh ballMesh(float radius, int times, const Vec3<float>& center = {0, 0, 0}) {
  Mesh mesh;
  mesh.points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int round = 0; round < times; ++round) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [found, fresh] = middles.try_emplace(std::minmax(a, b), int(mesh.points.size()));
      if (fresh) mesh.points.push_back(normalized(mesh.points[std::size_t(a)] + mesh.points[std::size_t(b)]));
      return found->second;
    };
    auto coarse = std::move(mesh.triangles);
    mesh.triangles.clear();
    for (const auto& [a, b, c] : coarse) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      mesh.triangles.insert(mesh.triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
  }
  for (auto& p : mesh.points) p = center + radius * p;
  return mesh;
}

inline Mesh turned(Mesh mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

inline Mesh both(Mesh a, const Mesh& b) {
  const auto first = int(a.points.size());
  a.points.insert(a.points.end(), b.points.begin(), b.points.end());
  for (const auto& t : b.triangles) a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return a;
}

/// The enclosed volume, by the divergence theorem.
inline double volumeOf(const Mesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto at = [&](int corner) {
      const Vec3<float>& p = mesh.points[std::size_t(t[std::size_t(corner)])];
      return Vec3<double>{p.x, p.y, p.z};
    };
    sum += dot(at(0), cross(at(1), at(2)));
  }
  return sum / 6;
}

}  // namespace sulcus::test
