#include "core/math/affine_mean.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Affine turned(double angle, double scale, const Vec3<double>& t) {
  Affine map;
  map.m = {{{scale * std::cos(angle), -scale * std::sin(angle), 0},
            {scale * std::sin(angle), scale * std::cos(angle), 0},
            {0, 0, scale}}};
  map.t = t;
  return map;
}

void expectNear(const Affine& a, const Affine& b, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(a.m[i][j], b.m[i][j], tolerance);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.t[i], b.t[i], 50 * tolerance);
}

TEST(AffineMean, TheLogarithmOfATurnIsItsAngleAndThatOfAScaleItsLogarithm) {
  const auto logarithm = logarithmOf(turned(0.7, 1.3, {}));
  ASSERT_TRUE(logarithm);
  EXPECT_NEAR(logarithm->m[1][0], 0.7, 1e-12);
  EXPECT_NEAR(logarithm->m[0][1], -0.7, 1e-12);
  EXPECT_NEAR(logarithm->m[2][2], std::log(1.3), 1e-12);
}

TEST(AffineMean, ExponentialUndoesLogarithm) {
  Affine map = turned(-1.1, 0.8, {30, -12, 55});
  map.m[0][2] = 0.15, map.m[2][1] = -0.2;
  const auto logarithm = logarithmOf(map);
  ASSERT_TRUE(logarithm);
  expectNear(exponentialOf(*logarithm), map, 1e-11);
}

TEST(AffineMean, HalfATurnHasNoLogarithm) {
  EXPECT_FALSE(logarithmOf(turned(std::numbers::pi, 1, {})));
  Affine mirrored;
  mirrored.m[0][0] = -1;
  EXPECT_FALSE(logarithmOf(mirrored));
}

TEST(AffineMean, TheMiddleIsTheSameInAnyOrderAndWhereverTheScannerIs) {
  const Affine a = turned(0.2, 1.1, {5, 0, 1}), b = turned(-0.4, 0.9, {-8, 3, 0}),
               c = turned(0.1, 1.3, {0, 0, 20});
  const std::vector<Affine> some{a, b, c}, others{c, a, b};
  const auto middle = middleOf(some);
  ASSERT_TRUE(middle);
  expectNear(*middle, *middleOf(others), 1e-10);
  EXPECT_NEAR(std::log(middle->determinant()),
              (std::log(a.determinant()) + std::log(b.determinant()) + std::log(c.determinant())) / 3, 1e-10);
  const Affine place = turned(0.9, 1, {100, -50, 7});
  const std::vector<Affine> moved{place * a, place * b, place * c};
  expectNear(*middleOf(moved), place * *middle, 1e-9);
  const std::vector<Affine> inverses{a.inverse(), b.inverse(), c.inverse()};
  expectNear(*middleOf(inverses), middle->inverse(), 1e-9);
}

}  // namespace
}  // namespace sulcus
