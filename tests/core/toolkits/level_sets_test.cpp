#include "core/toolkits/level_sets.h"

#include "core/base/error.h"
#include "core/levelset/mesh_measures.h"
#include "core/levelset/signed_distance.h"
#include "core/levelset/triangle_tree.h"
#include "core/toolkits/contour.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace sulcus::toolkits {
namespace {

Affine turned(double degrees) {
  const double c = std::cos(degrees * std::numbers::pi / 180), s = std::sin(degrees * std::numbers::pi / 180);
  Affine around;
  around.m = {{{c, -s, 0}, {s * c, c * c, -s}, {s * s, s * c, c}}};
  return around;
}

/// A grid of `size` voxels of `step` mm whose middle is at 0.
Grid gridOf(const Vec3<int>& size, const Vec3<double>& step = {1, 1, 1}, double degrees = 0) {
  Grid grid;
  grid.size = size;
  grid.worldFromVoxel = turned(degrees);
  for (auto& row : grid.worldFromVoxel.m) row = {row[0] * step.x, row[1] * step.y, row[2] * step.z};
  grid.worldFromVoxel.t =
      -grid.worldFromVoxel.point({0.5 * (size.x - 1), 0.5 * (size.y - 1), 0.5 * (size.z - 1)});
  return grid;
}

template <class Value, class Of>
Volume<Value> volumeOf(const Grid& grid, const Of& of) {
  Volume<Value> volume(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    volume.values[std::size_t(i)] =
        Value(of(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)})));
  }
  return volume;
}

Volume<float> ball(const Grid& grid, double radius, const Vec3<double>& middle = {}) {
  return volumeOf<float>(grid, [&](const Vec3<double>& p) { return norm(p - middle) - radius; });
}

Mask randomMask(const Grid& grid, unsigned seed) {
  std::mt19937 random(seed);
  Mask mask(grid);
  for (auto& v : mask.values) v = random() % 3 == 0;
  return mask;
}

/// The largest |φ − truth| where |truth| ≤ near.
double largestError(const Volume<float>& phi, const Volume<float>& truth, double near) {
  double largest = 0;
  for (std::size_t i = 0; i < phi.values.size(); ++i)
    if (std::abs(truth.values[i]) <= near)
      largest = std::max(largest, std::abs(double(phi.values[i]) - truth.values[i]));
  return largest;
}

TEST(SignedDistanceOfMask, IsTheDistanceToTheSurfaceHalfWayBetweenVoxels) {
  for (const Vec3<double>& step : {Vec3<double>{1, 1, 1}, {0.7, 1.3, 3}, {2, 0.5, 1}}) {
    const Mask mask = randomMask(gridOf({9, 12, 7}, step, 20), 3);
    auto half = volumeOf<float>(mask.grid, [](const auto&) { return 0.5; });
    for (std::size_t i = 0; i < half.values.size(); ++i) half.values[i] -= float(mask.values[i]);
    const auto phi = signedDistanceOfMask(mask, {});
    std::vector<Vec3<float>> voxels;
    for (std::int64_t i = 0; i < mask.grid.voxels(); ++i) {
      const Vec3<int> v = mask.grid.voxel(i);
      const auto p = mask.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
      voxels.push_back({float(p.x), float(p.y), float(p.z)});
    }
    const auto distances = levelset::distancesTo(contourOf(half, {}), voxels, {});
    for (std::size_t i = 0; i < voxels.size(); ++i)
      ASSERT_NEAR(phi.values[i], mask.values[i] ? -distances[i] : distances[i], 2e-5);
  }
}

TEST(SignedDistanceOfMask, OfFlatFacesIsHalfWayOnEveryGrid) {
  Mask mask(gridOf({24, 24, 24}, {0.7, 1.3, 3}, -40));
  for (int z = 8; z < 16; ++z)
    for (int y = 8; y < 16; ++y)
      for (int x = 8; x < 16; ++x) mask(x, y, z) = 1;
  const auto phi = signedDistanceOfMask(mask, {});
  for (int i = 0; i < 4; ++i) {  // along each axis, from the center of a face
    EXPECT_NEAR(phi(15 + i, 12, 12), 0.7 * (i - 0.5), 1e-4);
    EXPECT_NEAR(phi(12, 12, 15 + i), 3 * (i - 0.5), 1e-4);
  }
}

TEST(SignedDistanceOfMask, OfABallLiesWithinHalfAVoxelOfItsRadius) {
  const auto truth = ball(gridOf({40, 42, 44}, {1, 0.8, 0.9}, -15), 10.2);
  const auto mask = volumeOf<std::uint8_t>(truth.grid, [](const auto& p) { return norm(p) < 10.2; });
  EXPECT_LT(largestError(signedDistanceOfMask(mask, {}), truth, 12), 0.6);
}

TEST(SignedDistanceOfMask, OfTheInverseIsNearlyTheOpposite) {
  Mask mask(gridOf({24, 24, 24}));
  std::mt19937 random(5);
  for (int z = 9; z < 15; ++z)
    for (int y = 9; y < 15; ++y)
      for (int x = 9; x < 15; ++x) mask(x, y, z) = random() % 2;
  Mask inverse = mask;
  for (auto& v : inverse.values) v = v == 0;
  const auto a = signedDistanceOfMask(mask, {}), b = signedDistanceOfMask(inverse, {});
  for (int z = 8; z < 16; ++z)
    for (int y = 8; y < 16; ++y)
      for (int x = 8; x < 16; ++x) ASSERT_NEAR(a(x, y, z), -b(x, y, z), 0.3);
}

TEST(SignedDistanceOfMask, MovesWithTheMask) {
  Mask mask(gridOf({30, 30, 30})), moved = mask;
  std::mt19937 random(8);
  for (int z = 10; z < 16; ++z)
    for (int y = 10; y < 16; ++y)
      for (int x = 10; x < 16; ++x) mask(x, y, z) = moved(x + 3, y - 2, z + 4) = random() % 2;
  const auto a = signedDistanceOfMask(mask, {}), b = signedDistanceOfMask(moved, {});
  for (int z = 5; z < 20; ++z)
    for (int y = 5; y < 20; ++y)
      for (int x = 5; x < 20; ++x) ASSERT_NEAR(a(x, y, z), b(x + 3, y - 2, z + 4), 1e-5);
}

TEST(SignedDistanceOfMask, KeepsOneSignWhereTheMaskIsFullOrEmpty) {
  const Mask empty(gridOf({5, 6, 7})), full(gridOf({5, 6, 7}), 1);
  EXPECT_TRUE(std::ranges::all_of(signedDistanceOfMask(empty, {}).values, [](float v) { return v > 0; }));
  EXPECT_TRUE(std::ranges::all_of(signedDistanceOfMask(full, {}).values, [](float v) { return v < 0; }));
}

TEST(SignedDistanceOfImage, OfALinearImageIsThePlanesDistance) {
  const auto direction = normalized(Vec3<double>{1, 2, -0.7});
  // This part is far from the edge of the grid, where the surface ends.
  const auto grid = gridOf({41, 43, 39}, {1, 0.9, 1.1}, 25);
  const auto image = volumeOf<float>(grid, [&](const auto& p) { return 100 - 7 * dot(direction, p); });
  const auto phi = signedDistanceOfImage(image, 98.6f, {});
  const auto truth = volumeOf<float>(grid, [&](const auto& p) { return dot(direction, p) - 0.2; });
  double largest = 0;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i), n = grid.size;
    const int edge = std::min({v.x, v.y, v.z, n.x - 1 - v.x, n.y - 1 - v.y, n.z - 1 - v.z});
    if (edge >= 8 && std::abs(truth.values[std::size_t(i)]) < 4.5)
      largest =
          std::max(largest, std::abs(double(phi.values[std::size_t(i)]) - truth.values[std::size_t(i)]));
  }
  EXPECT_LT(largest, 1e-4);
}

TEST(SignedDistanceOfImage, OfABallIsExactToAFewHundredthsOfAVoxelNearAndFar) {
  const auto truth = ball(gridOf({44, 44, 44}, {1, 1, 1}, 10), 12.3, {0.3, 0.1, -0.4});
  const auto image = volumeOf<float>(truth.grid, [](const auto& p) {
    return 1 / (1 + std::exp(norm(p - Vec3<double>{0.3, 0.1, -0.4}) - 12.3));
  });
  const auto phi = signedDistanceOfImage(image, 0.5, {});
  EXPECT_LT(largestError(phi, truth, 3), 0.03);
  EXPECT_LT(largestError(phi, truth, 5), 0.04);
  EXPECT_LT(largestError(phi, truth, 9), 0.4);
}

TEST(SignedDistanceOfImage, CountsWhatIsNotSoundAsOutside) {
  Volume<float> image(gridOf({12, 12, 12}), 1);
  for (int z = 3; z < 9; ++z)
    for (int y = 3; y < 9; ++y)
      for (int x = 3; x < 9; ++x) image(x, y, z) = 3;
  image(5, 5, 5) = std::numeric_limits<float>::quiet_NaN();
  image(7, 5, 5) = std::numeric_limits<float>::infinity(), image(5, 7, 5) = 1e30F;
  const auto phi = signedDistanceOfImage(image, 2, {});
  EXPECT_GT(phi(5, 5, 5), 0);
  EXPECT_GT(phi(7, 5, 5), 0);
  EXPECT_GT(phi(5, 7, 5), 0);
  EXPECT_LT(phi(6, 5, 5), 0);
  EXPECT_TRUE(std::ranges::none_of(phi.values, [](float v) { return std::isnan(v); }));
}

TEST(Redistanced, KeepsTheZeroAndMakesADistanceOfWhatIsNone) {
  const auto truth = ball(gridOf({44, 42, 40}, {1, 1, 1}, 30), 13.1, {0.2, -0.3, 0.4});
  Volume<float> distorted = truth;
  for (std::size_t i = 0; i < truth.values.size(); ++i) {
    const Vec3<int> v = truth.grid.voxel(std::int64_t(i));
    distorted.values[i] *= float(2 + std::sin(0.2 * v.x) + 0.5 * std::cos(0.15 * v.z));
  }
  const auto phi = redistanced(distorted, {});
  EXPECT_LT(largestError(phi, truth, 5), 0.05);
  for (std::size_t i = 0; i < phi.values.size(); ++i) ASSERT_EQ(phi.values[i] < 0, distorted.values[i] < 0);
  const auto moved = levelset::distancesTo(contourOf(phi, {}), contourOf(distorted, {}).points, {});
  EXPECT_LT(*std::ranges::max_element(moved), 0.03);
  EXPECT_LT(std::accumulate(moved.begin(), moved.end(), 0.0) / double(moved.size()), 0.01);
}

TEST(ContourOf, OfABallHasItsAreaVolumeAndShapeOnEveryGrid) {
  for (const double flip : {1.0, -1.0})
    for (const double degrees : {0.0, 35.0}) {
      const auto mesh =
          contourOf(ball(gridOf({40, 50, 36}, {flip, 0.8, 1.1}, degrees), 14.2, {1, 2, -1}), {});
      const levelset::MeshMeasures measures = levelset::measuresOf(mesh);
      EXPECT_NEAR(measures.area / (4 * std::numbers::pi * 14.2 * 14.2), 1, 0.01);
      EXPECT_NEAR(measures.volume / (4 / 3. * std::numbers::pi * std::pow(14.2, 3)), 1,
                  0.01);  // positive, since the surface faces outwards
      EXPECT_EQ(measures.euler, 2);
      EXPECT_EQ(measures.components, 1);
      EXPECT_EQ(measures.openEdges, 0);
      for (const auto& p : mesh.points)
        ASSERT_NEAR(norm(Vec3<double>{p.x - 1.0, p.y - 2.0, p.z + 1.0}), 14.2, 0.02);
    }
}

TEST(ContourOf, EndsHalfAVoxelBeyondTheGridWhereTheInsideReachesItsEdge) {
  const Volume<float> phi(gridOf({4, 5, 6}, {1, 2, 0.5}), -0.5);
  const auto mesh = contourOf(phi, {});
  Vec3<float> most{};
  for (const auto& p : mesh.points)
    for (int i = 0; i < 3; ++i) most[i] = std::max(most[i], p[i]);
  EXPECT_EQ(most, (Vec3<float>{2, 5, 1.5}));
  EXPECT_EQ(levelset::measuresOf(mesh).openEdges, 0);
  EXPECT_EQ(levelset::measuresOf(mesh).euler, 2);
}

TEST(ContourOf, IsClosedForNoiseAndWherePhiIsExactlyZero) {
  std::mt19937 random(11);
  Volume<float> phi(gridOf({17, 18, 19}));
  for (auto& v : phi.values) v = float(int(random() % 5)) - 2;  // a fifth of them 0
  const levelset::MeshMeasures measures = levelset::measuresOf(contourOf(phi, {}));
  EXPECT_EQ(measures.openEdges, 0);
  EXPECT_GT(measures.area, 0);
}

TEST(ContourOf, OfWhatIsNowhereInsideIsEmpty) {
  EXPECT_TRUE(contourOf(Volume<float>(gridOf({4, 4, 4}), 1), {}).triangles.empty());
  EXPECT_TRUE(contourOf(Volume<float>(gridOf({4, 4, 4}), 0), {}).triangles.empty());
}

TEST(DistancesTo, AreThoseOfTheNearestTriangleOneByOne) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> anywhere(-30, 30);
  const auto mesh = contourOf(ball(gridOf({30, 30, 30}), 9), {});
  std::vector<Vec3<float>> points(300);
  for (auto& p : points) p = {anywhere(random), anywhere(random), anywhere(random)};
  const auto found = levelset::distancesTo(mesh, points, {});
  const auto corner = [&](const auto& t, std::size_t k) {
    const Vec3<float>& p = mesh.points[std::size_t(t[k])];
    return Vec3<double>{p.x, p.y, p.z};
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3<double> p{points[i].x, points[i].y, points[i].z};
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& t : mesh.triangles)
      nearest = std::min(nearest,
                         norm(levelset::nearestOnTriangle(p, corner(t, 0), corner(t, 1), corner(t, 2)) - p));
    ASSERT_DOUBLE_EQ(found[i], nearest);
  }
}

TEST(DistancesTo, RefusesAMeshWithoutTriangles) {
  EXPECT_THROW(levelset::distancesTo(Mesh{}, {{0, 0, 0}}, {}), Error);
}

TEST(LevelSets, StopWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const Progress progress(stop.get_token(), {});
  const auto phi = ball(gridOf({20, 20, 20}), 5);
  EXPECT_THROW(contourOf(phi, progress), Cancelled);
  EXPECT_THROW(redistanced(phi, progress), Cancelled);
  EXPECT_THROW(signedDistanceOfImage(phi, 0, progress), Cancelled);
  EXPECT_THROW(signedDistanceOfMask(randomMask(phi.grid, 1), progress), Cancelled);
}

}  // namespace
}  // namespace sulcus::toolkits
