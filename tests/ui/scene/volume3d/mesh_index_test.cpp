#include "ui/scene/volume3d/mesh_index.h"

#include "tests/ui/mesh_analysis.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

using test::ball;

TEST(MeshIndex, CutsEachTriangleThatThePlanePasses) {
  const Mesh mesh = ball(30, 4, {3, -5, 7});
  for (int axis = 0; axis < 3; ++axis) {
    const MeshIndex index(mesh, axis);
    for (const double at : {-27.0, -5.25, 0.0, 3.0, 7.0, 21.125, 32.9, 36.9}) {
      std::size_t passed = 0;
      for (const auto& triangle : mesh.triangles) {
        const auto above = [&](std::size_t c) {
          return mesh.points[std::size_t(triangle[c])][axis] >= float(at);
        };
        passed += above(0) != above(1) || above(1) != above(2);
      }
      EXPECT_EQ(index.cut(mesh, at).size(), 2 * passed) << axis << " at " << at;
    }
  }
}

TEST(MeshIndex, GivesClosedLinesOnTheSurfaceInThePlane) {
  const Mesh mesh = ball(30, 5);
  const auto line = MeshIndex(mesh, 2).cut(mesh, 12.34);
  ASSERT_FALSE(line.empty());
  for (const auto& p : line) {
    EXPECT_EQ(p.z, 12.34f);
    EXPECT_NEAR(norm(p), 30, 0.05) << "a chord lies a little inside";
    // Each point ends one segment and begins the next.
    EXPECT_EQ(std::count_if(line.begin(), line.end(), [&](const auto& q) { return norm(q - p) < 1e-4f; }), 2);
  }
}

TEST(MeshIndex, IsCutObliquelyAsAlongAnAxis) {
  const Mesh mesh = ball(30, 4, {3, -5, 7});
  EXPECT_EQ(cutBy(mesh, {{100, -5.25, 100}, {0, 1, 0}}).size(), MeshIndex(mesh, 1).cut(mesh, -5.25).size());
  const Vec3<double> normal = normalized(Vec3<double>{1, 2, -0.5}), center{3, -5, 7};
  const auto line = cutBy(mesh, {center + 18.0 * normal, normal});
  ASSERT_GT(line.size(), 100u);
  for (const auto& p : line) {
    const Vec3<double> from = Vec3<double>{p.x, p.y, p.z} - center;
    EXPECT_NEAR(dot(from, normal), 18, 1e-4);
    EXPECT_NEAR(norm(from - 18.0 * normal), 24, 0.2) << "a chord lies a little inside";
  }
  EXPECT_TRUE(cutBy(mesh, {center + 30.5 * normal, normal}).empty());
}

TEST(MeshIndex, CutsNothingOutsideTheSurfaceOrWithoutOne) {
  const Mesh mesh = ball(10);
  const MeshIndex index(mesh, 0);
  EXPECT_TRUE(index.cut(mesh, 10.5).empty());
  EXPECT_TRUE(index.cut(mesh, -400).empty());
  EXPECT_TRUE(MeshIndex(Mesh{}, 1).cut(Mesh{}, 0).empty());
  Mesh broken = mesh;
  broken.points[4].x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(MeshIndex(broken, 0).cut(broken, 5).empty()) << "the other triangles are as they were";
}

TEST(FirstHit, MeetsTheNearSideAndFindsItsNearestPoint) {
  const Mesh mesh = ball(20, 4);
  const auto hit = firstHit(mesh, {1, 2, 500}, {0, 0, -1});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->distance, 480, 0.3);
  const Vec3<float> point = mesh.points[std::size_t(hit->point)];
  for (const auto& other : mesh.points) {
    if (other.z < 0) continue;
    EXPECT_GE(std::hypot(other.x - 1, other.y - 2) + 0.05, std::hypot(point.x - 1, point.y - 2));
  }
}

TEST(FirstHit, MeetsNothingBehindItsStartOrAside) {
  const Mesh mesh = ball(20);
  EXPECT_FALSE(firstHit(mesh, {0, 0, 500}, {0, 0, 1}));
  EXPECT_FALSE(firstHit(mesh, {25, 0, 500}, {0, 0, -1}));
}

TEST(IsClosedOutwards, DistinguishesOpenAndInvertedSurfacesFromClosedOnes) {
  const Mesh mesh = ball(20);
  EXPECT_TRUE(isClosedOutwards(mesh));
  Mesh open = mesh;
  open.triangles.pop_back();
  EXPECT_FALSE(isClosedOutwards(open));
  Mesh inverted = mesh;
  for (auto& triangle : inverted.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_FALSE(isClosedOutwards(inverted));
  Mesh twisted = mesh;
  std::swap(twisted.triangles[7][0], twisted.triangles[7][1]);
  EXPECT_FALSE(isClosedOutwards(twisted));
}

}  // namespace
}  // namespace sulcus::ui::scene
