#include "core/levelset/mesh_distance.h"

#include "core/base/parallel/parallel_for.h"
#include "core/levelset/signed_distance.h"
#include "core/surface/band.h"
#include "tests/core/io/io_test_support.h"
#include "tests/core/io/surfaces/meshes.h"
#include "tests/core/io/surfaces/vtk_meshes.h"

#include <random>
#include <stop_token>

#include <vtkImplicitPolyDataDistance.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

namespace sulcus::levelset {
namespace {

using namespace test;

Grid gridOf(const Vec3<int>& size, double spacing) {
  Grid grid;
  grid.size = size;
  for (int i = 0; i < 3; ++i)
    grid.worldFromVoxel.m[i][i] = spacing, grid.worldFromVoxel.t[i] = -0.5 * (size[i] - 1) * spacing;
  return grid;
}

/// The largest |φ − truth(position)| over the voxels within 6 voxels of the surface, where φ is exact.
template <class Truth>
double largestError(const Volume<float>& phi, const Truth& truth) {
  const Vec3<double> spacing = phi.grid.spacing();
  double largest = 0;
  for (std::int64_t i = 0; i < phi.grid.voxels(); ++i) {
    const Vec3<int> v = phi.grid.voxel(i);
    const double expected = truth(phi.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}));
    if (std::abs(expected) < 6 * std::max({spacing.x, spacing.y, spacing.z}))
      largest = std::max(largest, std::abs(double(phi.values[std::size_t(i)]) - expected));
  }
  return largest;
}

/// The signed distance to an axis-aligned box.
double toBox(const Vec3<double>& p, const Vec3<double>& low, const Vec3<double>& high) {
  Vec3<double> out;
  double inside = -1e9;
  for (int i = 0; i < 3; ++i) {
    const double d = std::max(low[i] - p[i], p[i] - high[i]);
    out[i] = std::max(d, 0.0), inside = std::max(inside, d);
  }
  return inside < 0 ? inside : norm(out);
}

int insideCount(const Volume<float>& phi) {
  return int(std::count_if(phi.values.begin(), phi.values.end(), [](float v) { return v < 0; }));
}

TEST(MeshDistance, OfABallIsThatToItsCenterLessTheRadius) {
  // The triangles are up to this far inside the sphere.
  const double sagitta = 10 * (1 - std::cos(0.5 * 1.5708 / 16));
  const auto phi =
      levelset::signedDistanceOfMesh(ballMesh(10, 5, {1, 2, -3}), gridOf({30, 31, 32}, 1.25), {});
  EXPECT_LT(largestError(phi,
                         [](const Vec3<double>& p) {
                           return norm(p - Vec3<double>{1, 2, -3}) - 10;
                         }),
            sagitta);
}

TEST(MeshDistance, OfABoxIsExactAlsoWhereItsFacesLieOnVoxels) {
  const Grid grid = gridOf({21, 23, 25}, 0.5);
  for (const float edge : {3.f, 3.25f, 2.9f}) {
    const auto phi = levelset::signedDistanceOfMesh(boxMesh({-edge, -2, -1}, {edge, 2, 1.5f}), grid, {});
    const auto truth = [&](const Vec3<double>& p) {
      return toBox(p, {-double(edge), -2, -1}, {double(edge), 2, 1.5});
    };
    EXPECT_LT(largestError(phi, truth), 1e-6) << edge;
  }
}

TEST(MeshDistance, FurtherAwayIsTooFarByAFractionOfAVoxelAndEnds) {
  const Vec3<double> low{-10, -10, -10}, high{-4, -4, -4};
  const Grid grid = gridOf({50, 50, 50}, 1);
  const auto phi = levelset::signedDistanceOfMesh(boxMesh({-10, -10, -10}, {-4, -4, -4}), grid, {});
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const double truth = toBox(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}), low, high);
    ASSERT_GE(phi.values[std::size_t(i)], std::min(truth, levelset::kFarthest) - 1e-5) << i;
    ASSERT_LE(phi.values[std::size_t(i)], std::min(truth + 0.1, levelset::kFarthest)) << i;
  }
  EXPECT_EQ(phi(49, 49, 49), float(levelset::kFarthest));
}

TEST(MeshDistance, HoldsOnObliqueAndLeftHandedGrids) {
  for (const bool leftHanded : {false, true}) {
    Grid grid = obliqueGrid(leftHanded);
    grid.size = {16, 14, 12};
    const Vec3<double> c = grid.center();
    const Vec3<float> low{float(c.x) - 6, float(c.y) - 7, float(c.z) - 8},
        high{float(c.x) + 5, float(c.y) + 6, float(c.z) + 9};
    const auto phi = levelset::signedDistanceOfMesh(boxMesh(low, high), grid, {});
    const auto truth = [&](const Vec3<double>& p) {
      return toBox(p, {low.x, low.y, low.z}, {high.x, high.y, high.z});
    };
    EXPECT_LT(largestError(phi, truth), 1e-5) << leftHanded;
    EXPECT_GT(insideCount(phi), 50);
  }
}

TEST(MeshDistance, TurnsAMeshThatIsInsideOut) {
  const Grid grid = gridOf({20, 20, 20}, 1);
  const Mesh ball = ballMesh(7, 3);
  EXPECT_EQ(levelset::signedDistanceOfMesh(turned(ball), grid, {}).values,
            levelset::signedDistanceOfMesh(ball, grid, {}).values);
  // Half of the triangles are reversed, but the mesh is still closed.
  Mesh mixed = ball;
  for (std::size_t t = 0; t < mixed.triangles.size(); t += 2)
    std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
  const auto phi = levelset::signedDistanceOfMesh(mixed, grid, {});
  EXPECT_EQ(insideCount(phi), insideCount(levelset::signedDistanceOfMesh(ball, grid, {})));
}

TEST(MeshDistance, RefusesAnOpenMeshAndSaysHowManyEdges) {
  Mesh mesh = ballMesh(7, 2);
  mesh.triangles.erase(mesh.triangles.begin() + 5);
  const Grid grid = gridOf({8, 8, 8}, 2);
  expectError([&] { levelset::signedDistanceOfMesh(mesh, grid, {}); },
              {"The mesh is open", "3 edges", "close it"});
  expectError([&] { levelset::signedDistanceOfMesh({}, grid, {}); }, {"no triangles"});
}

TEST(MeshDistance, TakesPointsThatAreTheSameAsOne) {
  const Mesh shared = ballMesh(7, 2);
  Mesh split;
  for (const auto& t : shared.triangles) {
    const auto first = std::int32_t(split.points.size());
    for (const std::int32_t corner : t) split.points.push_back(shared.points[std::size_t(corner)]);
    split.triangles.push_back({first, first + 1, first + 2});
  }
  const Grid grid = gridOf({12, 12, 12}, 1.5);
  EXPECT_EQ(levelset::signedDistanceOfMesh(split, grid, {}).values,
            levelset::signedDistanceOfMesh(shared, grid, {}).values);
}

TEST(MeshDistance, KnowsBodiesBesideOneAnotherOverlappingAndTouching) {
  const Grid grid = gridOf({40, 20, 20}, 0.5);
  const auto distance = [](double from, double to) {
    return [=](const Vec3<double>& p) { return toBox(p, {from, -2, -2}, {to, 2, 2}); };
  };
  const Mesh left = boxMesh({-6, -2, -2}, {-1, 2, 2});
  const auto apart = levelset::signedDistanceOfMesh(both(left, boxMesh({1, -2, -2}, {5, 2, 2})), grid, {});
  EXPECT_LT(
      largestError(apart,
                   [&](const Vec3<double>& p) { return std::min(distance(-6, -1)(p), distance(1, 5)(p)); }),
      1e-6);
  // Bodies overlap or share a wall. Internal walls count as surface, but the inside is that of both bodies.
  for (const float from : {-3.f, -1.f}) {
    const auto phi = levelset::signedDistanceOfMesh(both(left, boxMesh({from, -2, -2}, {5, 2, 2})), grid, {});
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const Vec3<int> v = grid.voxel(i);
      const double truth =
          distance(-6, 5)(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}));
      if (std::abs(phi.values[std::size_t(i)]) < 1e-6) continue;
      EXPECT_EQ(phi.values[std::size_t(i)] < 0, truth < 0) << from << " at " << i;
    }
  }
}

TEST(MeshDistance, LeavesACavityOutside) {
  const Grid grid = gridOf({26, 26, 26}, 1);
  const auto phi = levelset::signedDistanceOfMesh(both(ballMesh(11, 5), turned(ballMesh(5, 4))), grid, {});
  const auto truth = [](const Vec3<double>& p) { return std::max(norm(p) - 11, 5 - norm(p)); };
  EXPECT_LT(largestError(phi, truth), 0.04);
  EXPECT_GT(phi(13, 13, 13), 3);
}

TEST(MeshDistance, KeepsTheInsideOfAThinSheetThatHoldsVoxels) {
  // The body is thinner than a voxel and tilted, so that rows cross it at any angle.
  Mesh sheet = boxMesh({-8, -8, -0.2f}, {8, 8, 0.2f});
  for (auto& p : sheet.points) p = {0.8f * p.x - 0.6f * p.z, p.y, 0.6f * p.x + 0.8f * p.z};
  const Grid grid = gridOf({29, 29, 29}, 0.8);
  const auto phi = levelset::signedDistanceOfMesh(sheet, grid, {});
  const auto truth = [](const Vec3<double>& p) {
    return toBox({0.8 * p.x + 0.6 * p.z, p.y, -0.6 * p.x + 0.8 * p.z}, {-8, -8, -0.2}, {8, 8, 0.2});
  };
  EXPECT_LT(largestError(phi, truth), 1e-5);
  EXPECT_GT(insideCount(phi), 100);
}

TEST(MeshDistance, OfABumpySurfaceIsThatOfVtk) {
  Mesh mesh = ballMesh(9, 4);
  std::mt19937 random(5);
  std::uniform_real_distribution<float> bump(0.8f, 1.2f);
  for (auto& p : mesh.points) p = bump(random) * p;
  const auto poly = test::polyDataOf(mesh);
  vtkNew<vtkImplicitPolyDataDistance> oracle;
  oracle->SetInput(poly);
  Grid grid = obliqueGrid();
  grid.size = {22, 15, 9};
  const Vec3<double> away = grid.center();
  grid.worldFromVoxel.t = grid.worldFromVoxel.t - away;
  const auto phi = levelset::signedDistanceOfMesh(mesh, grid, {});
  EXPECT_LT(largestError(phi, [&](const Vec3<double>& p) { return oracle->EvaluateFunction(p.x, p.y, p.z); }),
            2e-5);
}

TEST(MeshDistance, IsTheSameOnOneThread) {
  const Grid grid = gridOf({30, 30, 30}, 0.7);
  const Mesh ball = ballMesh(7, 3);
  const auto all = levelset::signedDistanceOfMesh(ball, grid, {});
  withThreads(1, [&] { EXPECT_EQ(levelset::signedDistanceOfMesh(ball, grid, {}).values, all.values); });
}

TEST(MeshDistance, CanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(levelset::signedDistanceOfMesh(ballMesh(7, 3), gridOf({30, 30, 30}, 1),
                                              Progress(stop.get_token(), [](double, std::string_view) {})),
               Cancelled);
}

TEST(GridAround, HoldsTheMeshAndItsMargin) {
  Mesh mesh = boxMesh({-3, 10, 20}, {4, 12.5f, 20.25f});
  mesh.points.push_back({1e5f, 0, 0});  // a point without a triangle
  const Grid grid = levelset::gridAround(mesh, 0.5, 2);
  EXPECT_EQ(orientationCode(grid), "RAS");
  const Vec3<double> low = grid.worldFromVoxel.point({0, 0, 0}),
                     high = grid.worldFromVoxel.point(
                         {double(grid.size.x - 1), double(grid.size.y - 1), double(grid.size.z - 1)});
  EXPECT_NEAR(grid.center().x, 0.5, 1e-9);
  EXPECT_LE(low.x, -5);
  EXPECT_GE(high.x, 6);
  EXPECT_LE(low.z, 18);
  EXPECT_GE(high.z, 22.25);
  EXPECT_GT(low.x, -5.6);
  EXPECT_LT(high.z, 22.8);
  EXPECT_EQ(grid.spacing(), (Vec3<double>{0.5, 0.5, 0.5}));
}

TEST(GridAround, RefusesVoxelsThatAreTooSmall) {
  const Mesh mesh = boxMesh({0, 0, 0}, {100, 1, 1});
  EXPECT_EQ(levelset::gridAround(mesh, 0.1, 1).size.x, 1021);
  expectError([&] { levelset::gridAround(mesh, 0.05, 1); }, {"0.05 mm", "100 mm", "larger voxels"});
  expectError([&] { levelset::gridAround({}, 1, 1); }, {"no triangles"});
}

TEST(GridAround, TellsAMeshInMeters) {
  expectError(
      [] {
        levelset::gridAround(boxMesh({0, 0, 0}, {0.14F, 0.18F, 0.12F}), 1, 5);
      },
      {"0.18 mm", "may be in meters", "save it in mm"});
  expectError(
      [] {
        levelset::gridAround(boxMesh({0, 0, 0}, {2, 2, 2}), 1, 5);
      },
      {"spans 2 mm", "--spacing 0.04"});
}

}  // namespace
}  // namespace sulcus::levelset
