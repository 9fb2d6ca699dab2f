#include "core/fibers/peaks/eigenpairs_kernel.h"
#include "core/math/linear_algebra.h"
#include "tests/core/fibers/peaks/form_oracle.h"

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

double smallestByEigen(const SymMat3<double>& m) {
  Eigen::Matrix3d a;
  a << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
  return symmetricEigen3(a).values[0];
}

double spread(const SymMat3<double>& m) {
  const double q = trace(m) / 3;
  return std::sqrt((m.xx - q) * (m.xx - q) + (m.yy - q) * (m.yy - q) + (m.zz - q) * (m.zz - q) +
                   2 * (m.xy * m.xy + m.xz * m.xz + m.yz * m.yz));
}

TEST(SmallestEigenvalue, IsNeverAboveTheTrueOneAndBarelyBelow) {
  test::forEachSeed(2000, [](test::Rng& rng) {
    SymMat3<double> m{normal(rng), normal(rng), normal(rng), normal(rng), normal(rng), normal(rng)};
    if (rng.integer(0, 1) == 0) {  // two equal eigenvalues
      const auto d = test::randomDirection(rng);
      const double a = rng.uniform(-1, 1), b = rng.uniform(-1, 1);
      m = {a + b * d.x * d.x, b * d.x * d.y, b * d.x * d.z,
           a + b * d.y * d.y, b * d.y * d.z, a + b * d.z * d.z};
    }
    const double found = smallestEigenvalue(m), truth = smallestByEigen(m);
    EXPECT_LE(found, truth + 1e-6 * spread(m) + 1e-9);
    EXPECT_GE(found, truth - 0.007 * spread(m) - 1e-9);
  });
}

TEST(SmallestEigenvalue, OfAMultipleOfTheIdentityIsTheMultiple) {
  EXPECT_NEAR(smallestEigenvalue(SymMat3<float>{-2, 0, 0, -2, 0, -2}), -2, 1e-6);
}

/// The rules of a search for a form, in double.
template <int Order>
SearchRules<double> rulesFor(const test::Entries<Order>& a, FiberOptions options) {
  return searchRules<Order>(options, a.data());
}

template <class Order>
class SearchOfOrder : public ::testing::Test {};
using Orders = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 4>,
                                std::integral_constant<int, 6>, std::integral_constant<int, 8>,
                                std::integral_constant<int, 10>, std::integral_constant<int, 12>>;
TYPED_TEST_SUITE(SearchOfOrder, Orders);

TYPED_TEST(SearchOfOrder, NeverDescends) {
  constexpr int order = TypeParam::value;
  for (const auto shift : {ShiftRule::adaptive, ShiftRule::safe})
    test::forEachSeed(100, [&](test::Rng& rng) {
      const auto a = test::fiberLikeForm<order>(rng, 0.2);
      FiberOptions options;
      options.shift = shift;
      const auto rules = rulesFor<order>(a, options);
      Search<double> s(test::randomDirection(rng));
      double value = -1e30;
      for (bool finished = false; !finished;) {
        finished = searchStep<order>(a, rules, s).finished;
        EXPECT_GE(s.value, value - 1e-12);
        EXPECT_NEAR(norm(s.x), 1, 1e-12);
        value = s.value;
      }
    });
}

TYPED_TEST(SearchOfOrder, EndsAtEigenpairs) {
  constexpr int order = TypeParam::value;
  test::forEachSeed(200, [](test::Rng& rng) {
    const auto a = test::fiberLikeForm<order>(rng, 0.1);
    FiberOptions options;
    options.tolerance = 1e-10;
    const auto rules = rulesFor<order>(a, options);
    Search<double> s(test::randomDirection(rng));
    SearchStatus<double> status{};
    while (!status.finished) status = searchStep<order>(a, rules, s);
    ASSERT_TRUE(status.converged);
    const auto y = tensorMatrix<order>(a, s.x) * s.x;
    EXPECT_LT(norm(y - s.value * s.x), 1e-10);
    const auto f = test::localForm<order>(a, s.x);
    EXPECT_EQ(status.maximum, f.h11 < 0 && f.h11 * f.h22 > f.h12 * f.h12);
  });
}

TYPED_TEST(SearchOfOrder, BeginsWithThePublishedIterationWithAFixedShift) {
  constexpr int order = TypeParam::value;
  test::forEachSeed(20, [](test::Rng& rng) {
    const auto a = test::fiberLikeForm<order>(rng, 0.1);
    FiberOptions options;
    options.shift = ShiftRule::fixed;
    options.alpha = rng.uniform(order, 3 * order);  // no step descends
    double largest = 0;
    for (const double entry : a) largest = std::max(largest, std::abs(entry));
    const auto rules = rulesFor<order>(a, options);
    Vec3<double> x = test::randomDirection(rng);
    Search<double> s(x);
    for (int i = 0; i < 2; ++i) {  // before Newton steps
      searchStep<order>(a, rules, s);
      x = normalized(tensorMatrix<order>(a, x) * x + options.alpha * largest * x);
      EXPECT_LT(std::min(norm(s.x - x), norm(s.x + x)), 1e-5);
    }
  });
}

TYPED_TEST(SearchOfOrder, FindsNoIsolatedMaximumOnSphereAndRing) {
  constexpr int order = TypeParam::value;
  test::Entries<order> sphere{}, ring{};
  // The means of the powers over all directions of the sphere and of the circle.
  constexpr int many = 2000;
  for (int i = 0; i < many; ++i) {
    const double z = (i + 0.5) / many, r = std::sqrt(1 - z * z), phi = 2.399963229728653 * i;
    test::addLobe<order>(sphere, 1.0 / many, {r * std::cos(phi), r * std::sin(phi), z});
    const double t = std::numbers::pi * i / many;
    test::addLobe<order>(ring, 1.0 / many, {std::cos(t), std::sin(t), 0});
  }
  test::Rng rng(3);
  for (const auto& form : {sphere, ring})
    for (int i = 0; i < 64; ++i) {
      const auto rules = rulesFor<order>(form, {});
      Search<double> s(test::randomDirection(rng));
      SearchStatus<double> status{};
      while (!status.finished) status = searchStep<order>(form, rules, s);
      EXPECT_FALSE(status.maximum);
    }
}

TEST(PeakOrder, PutsTheLargerFirstAndOfEqualOnesTheLowerStart) {
  EXPECT_TRUE(comesBefore(2, 5, 1, 3));
  EXPECT_FALSE(comesBefore(1, 3, 2, 5));
  EXPECT_TRUE(comesBefore(1, 3, 1, 5));
  EXPECT_FALSE(comesBefore(1, 5, 1, 3));
}

TEST(PeakAxis, IsTheSameForOppositeDirections) {
  FiberOptions options;
  options.mergeAngle = 2;
  const float sine2 = mergeSine2(options);
  const auto at = [](double degrees) {
    const double t = degrees * std::numbers::pi / 180;
    return Vec3<float>{float(std::cos(t)), float(std::sin(t)), 0};
  };
  EXPECT_TRUE(sameAxis(at(10), at(11.9), sine2));
  EXPECT_TRUE(sameAxis(at(10), at(191.9), sine2));
  EXPECT_FALSE(sameAxis(at(10), at(12.1), sine2));
  EXPECT_FALSE(sameAxis(at(10), at(192.1), sine2));
}

TEST(PeakAxis, IsReportedOnTheUpperHalf) {
  EXPECT_EQ(upward(Vec3<float>{1, 2, -3}), (Vec3<float>{-1, -2, 3}));
  EXPECT_EQ(upward(Vec3<float>{1, -2, 0}), (Vec3<float>{-1, 2, 0}));
  EXPECT_EQ(upward(Vec3<float>{-1, 0, 0}), (Vec3<float>{1, 0, 0}));
  EXPECT_EQ(upward(Vec3<float>{-1, 2, 3}), (Vec3<float>{-1, 2, 3}));
}

TEST(PeakThreshold, IsAShareOfTheRangeAboveZero) {
  EXPECT_FLOAT_EQ(smallestPeak(-1, 4, 0.25f), 1);
  EXPECT_FLOAT_EQ(smallestPeak(2, 4, 0.25f), 2.5f);
}

}  // namespace
}  // namespace sulcus::fibers
