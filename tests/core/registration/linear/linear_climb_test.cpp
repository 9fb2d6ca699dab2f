#include "core/registration/linear/linear_climb.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

TEST(Exponential, OfATurnIsARotation) {
  Matrix34 turn = Matrix34::Zero();
  turn(1, 0) = 0.7, turn(0, 1) = -0.7;
  const Affine map = exponential(turn);
  EXPECT_NEAR(map.m[0][0], std::cos(0.7), 1e-14);
  EXPECT_NEAR(map.m[1][0], std::sin(0.7), 1e-14);
  EXPECT_NEAR(map.m[0][1], -std::sin(0.7), 1e-14);
  EXPECT_NEAR(map.determinant(), 1, 1e-14);
}

TEST(Exponential, OfTheOppositeIsTheInverse) {
  Matrix34 x;
  x << 0.3, -0.2, 0.1, 2, 0.5, 0.1, -0.4, -1, 0.2, 0.3, -0.6, 0.5;
  const Affine round = exponential(x) * exponential(-x);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(round.t[i], 0, 1e-12);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(round.m[std::size_t(i)][std::size_t(j)], i == j, 1e-12);
  }
}

TEST(MotionsOf, AreOrthonormalAndAsManyAsThereAre) {
  const std::tuple<Motions, int, std::size_t> cases[] = {
      {Motions::rigid, 2, 3}, {Motions::rigid, 3, 6}, {Motions::affine, 2, 6}, {Motions::affine, 3, 12}};
  for (const auto& [motions, dimensions, count] : cases) {
    const auto basis = motionsOf(motions, dimensions);
    ASSERT_EQ(basis.size(), count);
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        EXPECT_NEAR(basis[a].cwiseProduct(basis[b]).sum(), a == b, 1e-15);
    for (const Matrix34& x : basis)
      EXPECT_TRUE(motions == Motions::affine || (x.leftCols<3>() + x.leftCols<3>().transpose()).isZero());
  }
}

TEST(NearestRotation, IsTheRotationOfAScaledOne) {
  Matrix34 turn = Matrix34::Zero();
  turn(2, 1) = 0.4, turn(1, 2) = -0.4;
  const Affine rotation = exponential(turn);
  Affine map = rotation;
  for (auto& row : map.m)
    for (double& entry : row) entry *= 1.3;
  map.t = {1, 2, 3};
  const Affine found = nearestRotation(map);
  EXPECT_EQ(found.t, map.t);
  for (int j = 0; j < 3; ++j) EXPECT_NEAR(norm(found.column(j) - rotation.column(j)), 0, 1e-14);
}

/// A ball that is brighter on one side, in the middle of an image of 30³ voxels of 2 mm.
AlignLevel ball(const Vec3<double>& place, const Vec3<double>& radii) {
  Grid grid;
  grid.size = {30, 30, 30};
  for (std::size_t i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = 2, grid.worldFromVoxel.t[int(i)] = -29;
  Series<float> image(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}) - place;
    const Vec3<double> r{p.x / radii.x, p.y / radii.y, p.z / radii.z};
    image.values[std::size_t(i)] = norm(r) < 1 ? float(1 + r.x + 0.5 * r.y * r.z) : 0;
  }
  ObjectFrame frame;
  frame.unit = 10, frame.covariance = {{{80, 0, 0}, {0, 80, 0}, {0, 0, 80}}};
  return alignLevels(alignContent(image, nullptr, "image", {}), frame, {{0.2, 2000}}, {})[0];
}

TEST(Climbed, EachGoesItsOwnWay) {
  const AlignLevel moved = ball({3, -2, 1}, {14, 12, 13}), still = ball({}, {13, 14, 12});
  const PairInformation information(moved, still, LinearSimilarity::mi);
  const auto motions = motionsOf(Motions::affine, 3);
  std::vector<Affine> from(4);
  from[1].t = {0.2, 0.1, -0.3}, from[2].t = {5, 0, 0}, from[3].t = {20, 0, 0};  // the last: no overlap
  const ClimbOptions options{20, 1e-3, 0.1};
  const auto all = climbed(information, motions, from, options, {});
  ASSERT_EQ(all.size(), from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const MeasuredMap alone = climbed(information, motions, {from[i]}, options, {}).front();
    EXPECT_EQ(all[i].map, alone.map) << i;
    EXPECT_EQ(all[i].at.value, alone.at.value) << i;
  }
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_GT(all[i].at.value, information({from[i]}).front().value + 0.1);
    EXPECT_LT(norm(all[i].map.t - Vec3<double>{0.3, -0.2, 0.1}), 0.05) << i;
  }
  EXPECT_EQ(all[3].map, from[3]);
}

}  // namespace
}  // namespace sulcus::registration
