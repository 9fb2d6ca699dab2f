#include "core/fibers/models/tensor_kernel.h"
#include "core/fibers/peaks/peaks_kernel.h"
#include "tests/core/fibers/peaks/form_oracle.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

/// The entry at a tensor index of 0, 1, 2 in any order, by counting.
template <int Order>
double entryAt(const test::Entries<Order>& a, const std::array<int, Order>& index) {
  const int j = int(std::count(index.begin(), index.end(), 1)),
            k = int(std::count(index.begin(), index.end(), 2));
  return a[tensorIndex(j, k)];
}

/// Calls visit(index) for all 3ᵐ indices.
template <int Order, class Visit>
void forAllIndices(const Visit& visit) {
  std::array<int, Order> index{};
  for (;;) {
    visit(index);
    int d = Order - 1;
    while (d >= 0 && index[d] == 2) index[d--] = 0;
    if (d < 0) return;
    ++index[d];
  }
}

template <int Order>
test::Entries<Order> randomEntries(test::Rng& rng) {
  test::Entries<Order> a;
  for (double& entry : a) entry = rng.uniform(-1, 1);
  return a;
}

template <class Order>
class TensorOfOrder : public ::testing::Test {};
using Orders = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 4>,
                                std::integral_constant<int, 6>, std::integral_constant<int, 8>,
                                std::integral_constant<int, 10>, std::integral_constant<int, 12>>;
TYPED_TEST_SUITE(TensorOfOrder, Orders);

TYPED_TEST(TensorOfOrder, StoresSortedIndicesInLexicographicOrder) {
  constexpr int order = TypeParam::value;
  constexpr auto classes = indexClasses<order>();
  int place = 0;
  forAllIndices<order>([&](const std::array<int, order>& index) {
    if (!std::is_sorted(index.begin(), index.end())) return;
    ASSERT_LT(place, int(classes.size()));
    EXPECT_EQ(classes[place].i, std::count(index.begin(), index.end(), 0));
    EXPECT_EQ(classes[place].j, std::count(index.begin(), index.end(), 1));
    EXPECT_EQ(classes[place].k, std::count(index.begin(), index.end(), 2));
    ++place;
  });
  EXPECT_EQ(place, tensorEntries(order));
}

TYPED_TEST(TensorOfOrder, MatrixAndValueAreTheFullContractions) {
  constexpr int order = TypeParam::value;
  test::forEachSeed(3, [](test::Rng& rng) {
    const auto a = randomEntries<order>(rng);
    const Vec3<double> x{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    long double matrix[3][3] = {}, value = 0;  // of half a million terms at order 12
    forAllIndices<order>([&](const std::array<int, order>& index) {
      long double product = entryAt<order>(a, index);
      for (int d = 2; d < order; ++d) product *= x[index[d]];
      matrix[index[0]][index[1]] += product;
      value += product * x[index[0]] * x[index[1]];
    });
    const auto m = tensorMatrix<order>(a, x);
    EXPECT_NEAR(m.xx, double(matrix[0][0]), 1e-11);
    EXPECT_NEAR(m.xy, double(matrix[0][1]), 1e-11);
    EXPECT_NEAR(m.xz, double(matrix[0][2]), 1e-11);
    EXPECT_NEAR(m.yy, double(matrix[1][1]), 1e-11);
    EXPECT_NEAR(m.yz, double(matrix[1][2]), 1e-11);
    EXPECT_NEAR(m.zz, double(matrix[2][2]), 1e-11);
    EXPECT_NEAR(dot(x, m * x), double(value), 1e-11);
  });
}

TYPED_TEST(TensorOfOrder, NormIsThatOfAllEntriesAndBoundsTheForm) {
  constexpr int order = TypeParam::value;
  test::forEachSeed(8, [](test::Rng& rng) {
    const auto a = randomEntries<order>(rng);
    long double squares = 0;
    forAllIndices<order>([&](const auto& index) { squares += std::pow(entryAt<order>(a, index), 2); });
    const double norm = tensorNorm<order>(a.data());
    EXPECT_NEAR(norm, double(std::sqrt(squares)), 1e-12 * norm);
    for (int i = 0; i < 50; ++i) {
      const Vec3<double> d = test::randomDirection(rng);
      EXPECT_LE(std::abs(dot(d, tensorMatrix<order>(a, d) * d)), norm * (1 + 1e-12));
    }
  });
}

TYPED_TEST(TensorOfOrder, PacksGiveWhatEachLaneGivesAlone) {
  constexpr int order = TypeParam::value;
  test::Rng rng(5);
  const auto exact = randomEntries<order>(rng);
  float a[tensorEntries(order)];
  std::copy(exact.begin(), exact.end(), a);
  Vec3<FloatPack<8>> x;
  for (int lane = 0; lane < 8; ++lane) {
    const auto d = test::randomDirection(rng);
    x.x.v[lane] = float(d.x);
    x.y.v[lane] = float(d.y);
    x.z.v[lane] = float(d.z);
  }
  const auto m = tensorMatrix<order>(a, x);
  for (int lane = 0; lane < 8; ++lane) {
    const Vec3<float> one{x.x.v[lane], x.y.v[lane], x.z.v[lane]};
    EXPECT_NEAR(m.xx.v[lane], tensorMatrix<order>(a, one).xx, 1e-5);
    EXPECT_NEAR(m.yz.v[lane], tensorMatrix<order>(a, one).yz, 1e-5);
  }
}

TEST(TensorUnit, IsThePowerOfTwoAboveTheLargestEntry) {
  const float entries[] = {0.1f, -3.0f, 2.0f};
  EXPECT_EQ(tensorUnit(entries, 3), 4.0f);
  const float exact[] = {0.5f, 0.0f};
  EXPECT_EQ(tensorUnit(exact, 2), 1.0f);
}

TEST(TensorUnit, DistinguishesZeroAndNotFinite) {
  const float zero[] = {0.0f, 0.0f}, nan[] = {1.0f, NAN}, infinite[] = {-INFINITY, 1.0f};
  EXPECT_EQ(tensorUnit(zero, 2), 0.0f);
  EXPECT_FALSE(std::isfinite(tensorUnit(nan, 2)));
  EXPECT_FALSE(std::isfinite(tensorUnit(infinite, 2)));
}

}  // namespace
}  // namespace sulcus::fibers
