#include "core/registration/prealign_climb.h"

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

}  // namespace
}  // namespace sulcus::registration
