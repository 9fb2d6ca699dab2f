#include "core/math/affine.h"

#include "tests/support/for_each_seed.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Affine randomAffine(test::Rng& rng) {
  Affine a;
  do {
    for (auto& row : a.m)
      for (double& entry : row) entry = rng.uniform(-3, 3);
  } while (std::abs(a.determinant()) < 0.1);
  a.t = {rng.uniform(-100, 100), rng.uniform(-100, 100), rng.uniform(-100, 100)};
  return a;
}

TEST(Affine, InverseTakesEveryPointBack) {
  test::forEachSeed(64, [](test::Rng& rng) {
    const Affine a = randomAffine(rng);
    const Vec3<double> p{rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-9, 9)};
    EXPECT_LT(norm(a.inverse().point(a.point(p)) - p), 1e-9);
  });
}

TEST(Affine, ProductAppliesTheRightFactorFirst) {
  Affine scale, shift;
  scale.m[0][0] = 2;
  shift.t = {1, 0, 0};
  EXPECT_EQ((scale * shift).point({1, 0, 0}), (Vec3<double>{4, 0, 0}));
  EXPECT_EQ((shift * scale).point({1, 0, 0}), (Vec3<double>{3, 0, 0}));
}

TEST(Affine, DeterminantOfAProductIsTheProduct) {
  test::forEachSeed(64, [](test::Rng& rng) {
    const Affine a = randomAffine(rng), b = randomAffine(rng);
    EXPECT_NEAR((a * b).determinant(), a.determinant() * b.determinant(),
                1e-9 * std::abs(a.determinant() * b.determinant()) + 1e-9);
  });
}

TEST(Affine, TheSquareRootAppliedTwiceIsTheMap) {
  test::forEachSeed(64, [](test::Rng& rng) {
    Affine a;  // a rotation, slightly stretched and sheared
    const double angle = rng.uniform(-2.5, 2.5);
    a.m[0] = {std::cos(angle), -std::sin(angle), 0}, a.m[1] = {std::sin(angle), std::cos(angle), 0};
    for (auto& row : a.m)
      for (double& entry : row) entry += rng.uniform(-0.1, 0.1);
    a.t = {rng.uniform(-100, 100), rng.uniform(-100, 100), rng.uniform(-100, 100)};
    const auto root = squareRoot(a);
    ASSERT_TRUE(root);
    const Vec3<double> p{rng.uniform(-99, 99), rng.uniform(-99, 99), rng.uniform(-99, 99)};
    EXPECT_LT(norm(root->point(root->point(p)) - a.point(p)), 1e-8);
  });
}

TEST(Affine, AReflectionAndHalfATurnHaveNoSquareRoot) {
  Affine reflection, turn;
  reflection.m[0][0] = -1;
  turn.m[0][0] = turn.m[1][1] = -1;
  EXPECT_FALSE(squareRoot(reflection));
  EXPECT_FALSE(squareRoot(turn));
}

}  // namespace
}  // namespace sulcus
