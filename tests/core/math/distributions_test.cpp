#include "core/math/distributions.h"

#include "core/math/philox.h"
#include "tests/core/math/laws.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// The error in units in the last place of the correct result.
double ulps(float found, double right) {
  const float near = std::abs(float(right));
  return std::abs(double(found) - right) / (std::nextafter(near, INFINITY) - near);
}

/// Floats of every magnitude, by steps through the bit patterns of the positive normal ones.
template <class F>
void forFloats(const F& f) {
  for (std::uint32_t bits = 0x00800000u; bits < 0x7f800000u; bits += 1009) f(floatOf(bits));
}

TEST(Logarithm, IsWithinTwoUlps) {
  double most = 0;
  forFloats([&](float x) { most = std::max(most, ulps(logarithm(x), std::log(double(x)))); });
  for (int i = -100000; i <= 100000; ++i) {  // near 1, where the result is small
    const float x = 1 + float(i) * 1.2e-7f;
    if (x != 1) most = std::max(most, ulps(logarithm(x), std::log(double(x))));
  }
  EXPECT_LE(most, 2);
  EXPECT_EQ(logarithm(1.0f), 0);
}

TEST(ReciprocalRoot, IsWithinTwoUlps) {
  double most = 0;
  forFloats([&](float x) { most = std::max(most, ulps(reciprocalRoot(x), 1 / std::sqrt(double(x)))); });
  EXPECT_LE(most, 2);
}

TEST(SinCosOfTurn, IsRightToTheLastDigitsAllAround) {
  double most = 0;
  for (std::uint64_t word = 0; word < 1ull << 32; word += 4093) {
    float sine, cosine;
    sinCosOfTurn(std::uint32_t(word), sine, cosine);
    const double angle = 2 * std::numbers::pi * double(word) / 4294967296.0;
    most = std::max({most, std::abs(sine - std::sin(angle)), std::abs(cosine - std::cos(angle))});
  }
  EXPECT_LE(most, 1.2e-7);
}

TEST(Uniform, IsNeverZeroOrOneAndNeverFalls) {
  EXPECT_GT(uniform(std::uint32_t(0)), 0);
  EXPECT_LT(uniform(~std::uint32_t(0)), 1);
  float last = 0;
  for (std::uint64_t word = 0; word < 1ull << 32; word += 4093) {
    const float u = uniform(std::uint32_t(word));
    ASSERT_GE(u, last);
    ASSERT_NEAR(u, (double(word) + 0.5) / 4294967296.0, 1.2e-7);
    last = u;
  }
}

template <int N>
void expectLanesLikeOne() {
  PhiloxStream<std::uint32_t> stream{5, 0};
  const ChiSquare<float> law(48);
  for (int i = 0; i < 2000; ++i) {
    UintPack<N> a, b;
    for (int lane = 0; lane < N; ++lane) {
      std::uint32_t words[4];
      stream.next4(words);
      a.v[lane] = words[0], b.v[lane] = words[1];
    }
    FloatPack<N> first, second, value;
    normalPair(a, b, first, second);
    const auto accepted = chiSquareCandidate(law, first, uniform(b), value);
    for (int lane = 0; lane < N; ++lane) {
      float f, s, v;
      normalPair(a.v[lane], b.v[lane], f, s);
      ASSERT_EQ(first.v[lane], f);
      ASSERT_EQ(second.v[lane], s);
      ASSERT_EQ(accepted[lane], chiSquareCandidate(law, f, uniform(b.v[lane]), v));
      ASSERT_EQ(value.v[lane], v);
    }
  }
}

TEST(Distributions, HaveTheSameBitsInEveryLane) { expectLanesLikeOne<8>(); }

/// A few words from each of the streams of many voxels, as used by the sampler.
std::vector<std::uint32_t> wordsOf(int count) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t voxel = 0; int(all.size()) < count; ++voxel) {
    PhiloxStream<std::uint32_t> stream{99, voxel};
    for (int i = 0; i < 100; ++i) {
      std::uint32_t words[4];
      stream.next4(words);
      all.insert(all.end(), words, words + 4);
    }
  }
  return all;
}

TEST(Laws, UniformNumbersAreUniform) {
  std::vector<double> u;
  for (const auto word : wordsOf(200000)) u.push_back(uniform(word));
  EXPECT_LT(test::kolmogorovSmirnov(u, [](double x) { return x; }), test::kKolmogorovSmirnovLimit);
  test::expectMean(u, 0.5, "mean");
}

TEST(Laws, NormalNumbersAreNormal) {
  const auto words = wordsOf(400000);
  std::vector<double> both, powers[3], products;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    float a, b;
    normalPair(words[i], words[i + 1], a, b);
    for (const double x : {double(a), double(b)}) {
      both.push_back(x);
      powers[0].push_back(x * x);
      powers[1].push_back(x * x * x);
      powers[2].push_back(x * x * x * x);
    }
    products.push_back(double(a) * b);
  }
  EXPECT_LT(test::kolmogorovSmirnov(both, test::normalBelow), test::kKolmogorovSmirnovLimit);
  test::expectMean(both, 0, "mean");
  test::expectMean(powers[0], 1, "variance");
  test::expectMean(powers[1], 0, "third moment");
  test::expectMean(powers[2], 3, "fourth moment");
  test::expectMean(products, 0, "covariance of a pair");
}

TEST(Laws, ChiSquareNumbersHaveTheirDegreesOfFreedom) {
  const auto words = wordsOf(800000);
  for (const double freedom : {2.0, 3.0, 7.5, 48.0, 1203.0, 100000.0}) {
    const ChiSquare<float> law{float(freedom)};
    std::vector<double> values, squares;
    std::size_t at = 0;
    int refused = 0;
    for (; at + 4 <= words.size(); at += 4) {
      float x, spare, value;
      normalPair(words[at], words[at + 1], x, spare);
      if (!chiSquareCandidate(law, x, uniform(words[at + 2]), value)) {
        ++refused;
        continue;
      }
      values.push_back(value);
      squares.push_back((value - freedom) * (value - freedom));
    }
    EXPECT_LT(test::kolmogorovSmirnov(values, [&](double x) { return test::chiSquareBelow(x, freedom); }),
              test::kKolmogorovSmirnovLimit)
        << freedom;
    test::expectMean(values, freedom, "mean");
    test::expectMean(squares, 2 * freedom, "variance");
    EXPECT_LT(refused, 0.06 * double(at / 4)) << freedom;
  }
}

TEST(Laws, OfTheTestsThemselvesAreRight) {
  EXPECT_NEAR(test::chiSquareBelow(2, 2), 1 - std::exp(-1), 1e-12);
  // With an even number of degrees of freedom it is a sum of Poisson probabilities.
  for (const double x : {30.0, 48.0, 60.0}) {
    double above = 0, term = std::exp(-x / 2);
    for (int i = 0; i < 24; term *= x / 2 / ++i) above += term;
    EXPECT_NEAR(test::chiSquareBelow(x, 48), 1 - above, 1e-12);
  }
  // The test detects a sample that is shifted by 2 % of its s.d.
  std::vector<double> shifted;
  for (const auto word : wordsOf(200000)) shifted.push_back(uniform(word) * 0.98);
  EXPECT_GT(test::kolmogorovSmirnov(shifted, [](double x) { return x; }), test::kKolmogorovSmirnovLimit);
}

}  // namespace
}  // namespace sulcus
