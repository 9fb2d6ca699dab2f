#include "core/levelset/mesh_measures.h"

#include "core/levelset/triangle_tree.h"

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace sulcus::levelset {
namespace {

constexpr double kPi = std::numbers::pi;

/// The mesh of a torus of n × m squares.
Mesh torus(double large, double small, int n = 160, int m = 80) {
  Mesh mesh;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const double u = 2 * kPi * i / n, v = 2 * kPi * j / m, r = large + small * std::cos(v);
      mesh.points.push_back({float(r * std::cos(u)), float(r * std::sin(u)), float(small * std::sin(v))});
    }
  const auto at = [&](int i, int j) { return std::int32_t(i % n * m + j % m); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return mesh;
}

/// The mesh of a sphere, from an octahedron whose triangles were subdivided into four, `times` times.
Mesh sphere(double radius, const Vec3<float>& middle = {}, int times = 5) {
  std::vector<std::array<Vec3<double>, 3>> faces;
  for (const double x : {1.0, -1.0})
    for (const double y : {1.0, -1.0})
      for (const double z : {1.0, -1.0}) {
        const Vec3<double> a{x, 0, 0}, b{0, y, 0}, c{0, 0, z};
        faces.push_back(x * y * z > 0 ? std::array{a, b, c} : std::array{a, c, b});
      }
  for (int i = 0; i < times; ++i) {
    std::vector<std::array<Vec3<double>, 3>> finer;
    for (const auto& [a, b, c] : faces) {
      const auto ab = normalized(a + b), bc = normalized(b + c), ca = normalized(c + a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    faces = finer;
  }
  Mesh mesh;
  std::map<std::array<long, 3>, std::int32_t> known;
  for (const auto& face : faces) {
    std::array<std::int32_t, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::array key{std::lround(1e6 * face[k].x), std::lround(1e6 * face[k].y),
                           std::lround(1e6 * face[k].z)};
      const auto [found, fresh] = known.try_emplace(key, std::int32_t(mesh.points.size()));
      if (fresh)
        mesh.points.push_back(middle + Vec3<float>{float(radius * face[k].x), float(radius * face[k].y),
                                                   float(radius * face[k].z)});
      triangle[k] = found->second;
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

Mesh turnedInwards(Mesh mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

Mesh both(Mesh a, const Mesh& b) {
  const auto shift = std::int32_t(a.points.size());
  a.points.insert(a.points.end(), b.points.begin(), b.points.end());
  for (const auto& t : b.triangles) a.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  return a;
}

/// The mesh of a cube with edges of 2 mm.
Mesh cube() {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.push_back({float(i & 1 ? 2 : 0), float(i & 2 ? 2 : 0), float(i & 4 ? 2 : 0)});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

TEST(MeshMeasures, BoundsAreOfTriangles) {
  const Mesh mesh{{{0, 0, 0}, {2, -1, 0}, {1, 3, 5}, {9, 9, 9}}, {{0, 1, 2}}, {}, {}};
  const MeshBounds bounds = boundsOf(mesh);
  EXPECT_EQ(bounds.low, (Vec3<float>{0, -1, 0}));
  EXPECT_EQ(bounds.high, (Vec3<float>{2, 3, 5}));
}

TEST(MeshMeasures, OfACube) {
  const auto m = measuresOf(cube());
  EXPECT_DOUBLE_EQ(m.area, 24);
  EXPECT_DOUBLE_EQ(m.volume, 8);
  EXPECT_EQ(m.euler, 2);
  EXPECT_EQ(m.components, 1);
  EXPECT_EQ(m.cavities, 0);
  EXPECT_EQ(m.handles, 0);
  EXPECT_EQ(m.openEdges, 0);
}

TEST(MeshMeasures, OfASphereFarFromTheOrigin) {
  const auto m = measuresOf(sphere(7, {1000, -2000, 500}));
  EXPECT_NEAR(m.area, 4 * kPi * 49, 0.002 * m.area);
  EXPECT_NEAR(m.volume, 4 / 3. * kPi * 343, 0.003 * m.volume);
  EXPECT_NEAR(m.meanCurvature, 1 / 7., 0.002);
  EXPECT_EQ(m.euler, 2);
}

TEST(MeshMeasures, CountTheHandleOfATorus) {
  const auto m = measuresOf(torus(10, 3));
  EXPECT_NEAR(m.area, 4 * kPi * kPi * 30, 0.002 * m.area);
  EXPECT_NEAR(m.volume, 2 * kPi * kPi * 90, 0.003 * m.volume);
  EXPECT_EQ(m.euler, 0);
  EXPECT_EQ(m.handles, 1);
  EXPECT_EQ(m.components, 1);
  // For a torus ∫H dA = 2π² R, which does not depend on r.
  EXPECT_NEAR(m.meanCurvature * m.area, 2 * kPi * kPi * 10, 0.005 * 2 * kPi * kPi * 10);
}

TEST(MeshMeasures, DistinguishBodiesFromCavities) {
  const auto shell = both(sphere(9), turnedInwards(sphere(4)));
  const auto m = measuresOf(both(shell, torus(5, 1)));
  EXPECT_EQ(m.components, 2);
  EXPECT_EQ(m.cavities, 1);
  EXPECT_EQ(m.handles, 1);
  EXPECT_EQ(m.euler, 4);
  EXPECT_NEAR(measuresOf(shell).volume, 4 / 3. * kPi * (729 - 64), 10);
}

TEST(MeshMeasures, CountTheOpenEdgesAndNoLonePoints) {
  Mesh open = cube();
  open.triangles.pop_back();
  open.points.push_back({50, 50, 50});
  const auto m = measuresOf(open);
  EXPECT_EQ(m.openEdges, 3);
  EXPECT_EQ(m.euler, 1);
  EXPECT_EQ(m.components, 1);
  EXPECT_EQ(measuresOf(Mesh{}).components, 0);
}

TEST(MeshMeasures, SurviveTrianglesWithoutArea) {
  Mesh mesh = cube();
  mesh.points.push_back(mesh.points[0]);
  mesh.triangles.push_back({0, 8, 0});
  EXPECT_TRUE(std::isfinite(measuresOf(mesh).meanCurvature));
}

TEST(SampledAt, IsExactForALinearFunctionAndContinuesPastTheGrid) {
  Grid grid;
  grid.size = {5, 6, 7};
  grid.worldFromVoxel.m = {{{-1.1, 0.2, 0}, {0.1, 0.9, 0.3}, {0, -0.2, 1.4}}};
  grid.worldFromVoxel.t = {3, -2, 5};
  const auto line = [](const Vec3<double>& p) { return 2 * p.x - 3 * p.y + 0.5 * p.z + 1; };
  Volume<float> phi(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    phi.values[std::size_t(i)] =
        float(line(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)})));
  }
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-0.5, 1);
  std::vector<Vec3<float>> points;
  for (int i = 0; i < 100; ++i) {
    const auto p = grid.worldFromVoxel.point({5 * place(random), 6 * place(random), 7 * place(random)});
    points.push_back({float(p.x), float(p.y), float(p.z)});
  }
  const auto values = sampledAt(phi, points);
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(values[i], line({points[i].x, points[i].y, points[i].z}), 1e-4);
}

TEST(TriangleTree, FindsTheNearestWhateverTheHint) {
  const Mesh mesh = torus(10, 3, 30, 12);
  const TriangleTree tree(mesh);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-20, 20);
  for (int i = 0; i < 200; ++i) {
    const Vec3<double> p{place(random), place(random), place(random)};
    const NearestPoint nearest = tree.nearest(p);
    EXPECT_NEAR(norm(nearest.point - p), std::sqrt(nearest.squaredDistance), 1e-12);
    EXPECT_NEAR(std::abs(std::hypot(std::hypot(p.x, p.y) - 10, p.z) - 3), norm(nearest.point - p), 0.2);
    EXPECT_EQ(tree.nearest(p, i).squaredDistance, nearest.squaredDistance);
  }
}

TEST(TriangleTree, FindsWhatHoldingAgainstEachTriangleFinds) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> place(-20, 20), edge(-1, 1);
  // Far away, float has little or no precision left.
  for (const float from : {0.f, 3000.f, -1e6f, 1e25f})
    for (const int triangles : {1, 7, 8, 9, 64, 65, 700}) {
      Mesh mesh;
      const auto corner = [&](const Vec3<float>& middle) {
        mesh.points.push_back({middle.x + edge(random), middle.y + edge(random), middle.z + edge(random)});
        return std::int32_t(mesh.points.size()) - 1;
      };
      for (int t = 0; t < triangles; ++t) {
        const Vec3<float> middle{from + place(random), place(random), from + place(random)};
        mesh.triangles.push_back({corner(middle), corner(middle), corner(middle)});
      }
      const TriangleTree tree(mesh);
      for (int i = 0; i < 40; ++i) {
        const Vec3<double> p{from + 1.2 * place(random), 1.2 * place(random), from + 1.2 * place(random)};
        double least = std::numeric_limits<double>::infinity();
        for (const auto& t : mesh.triangles) {
          const auto at = [&](std::size_t k) {
            const Vec3<float>& q = mesh.points[std::size_t(t[k])];
            return Vec3<double>{q.x, q.y, q.z};
          };
          const Vec3<double> off = nearestOnTriangle(p, at(0), at(1), at(2)) - p;
          least = std::min(least, dot(off, off));
        }
        ASSERT_DOUBLE_EQ(tree.nearest(p).squaredDistance, least) << triangles << " triangles at " << from;
        ASSERT_EQ(tree.nearest(p, i % triangles).squaredDistance, tree.nearest(p).squaredDistance);
      }
    }
}

}  // namespace
}  // namespace sulcus::levelset
