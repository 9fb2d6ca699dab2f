#include "core/group/null_tail.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

/// The largest of many standard normal numbers, for each exchange.
std::vector<float> largestOf(int exchanges, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<float> largest;
  for (int e = 0; e < exchanges; ++e) {
    double most = -10;
    for (int k = 0; k < 500; ++k) most = std::max(most, normal(random));
    largest.push_back(float(most));
  }
  return largest;
}

TEST(NullTail, CountsWhereManyExchangesOrAllOfThemWereMade) {
  const auto many = largestOf(1000, 1), few = largestOf(200, 2);
  EXPECT_FALSE(NullTail(many, 1e9, Tails::automatic).isFitted());
  EXPECT_TRUE(NullTail(many, 1e9, Tails::pareto).isFitted());
  EXPECT_TRUE(NullTail(few, 1e9, Tails::automatic).isFitted());
  EXPECT_FALSE(NullTail(few, 1e9, Tails::count).isFitted());
  EXPECT_FALSE(NullTail(few, 200, Tails::pareto).isFitted());
  EXPECT_FALSE(NullTail(std::vector<float>(300, 2.f), 1e9, Tails::pareto).isFitted()) << "no spread";
}

TEST(NullTail, TellsSmallPByFewExchanges) {
  // P(largest of 500 > x) = 1 − Φ(x)^500.
  const auto truth = [](double x) { return 1 - std::pow(0.5 * std::erfc(-x / std::sqrt(2.0)), 500); };
  std::vector<double> logRatio;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const NullTail tail(largestOf(300, seed), 1e9, Tails::automatic);
    EXPECT_GT(tail.p(20), 0);
    for (double x = 3; x < 6; x += 0.25) EXPECT_GE(tail.p(float(x)), tail.p(float(x + 0.25)));
    logRatio.push_back(std::log(tail.p(4.26f) / truth(4.26)));  // p = 0.005: one or two of 300
  }
  std::ranges::sort(logRatio);
  EXPECT_NEAR(logRatio[20], 0, std::log(1.5)) << "in the middle";
  EXPECT_GT(logRatio[1], -std::log(4)) << "never far too small";
  EXPECT_LT(logRatio[38], std::log(4));
}

TEST(NullTail, MeetsTheCountedPWhereItBegins) {
  const NullTail tail(largestOf(400, 9), 1e9, Tails::pareto);
  const float begin = tail.largest()[299];
  EXPECT_NEAR(tail.p(std::nextafter(begin, 10.f)), 0.25, 0.01);
}

}  // namespace
}  // namespace sulcus::group
