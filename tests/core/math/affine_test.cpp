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

}  // namespace
}  // namespace sulcus
