#include "core/math/statistics.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

std::vector<float> shuffled() { return {40, 10, 50, 20, 30}; }

TEST(StatisticsTest, TakesTheValueOfTheLowerRank) {
  auto values = shuffled();
  EXPECT_EQ(lowerQuantile(std::span<float>(values), 0), 10);
  EXPECT_EQ(lowerQuantile(std::span<float>(values), 0.24), 10);
  EXPECT_EQ(lowerQuantile(std::span<float>(values), 0.25), 20);
  EXPECT_EQ(lowerQuantile(std::span<float>(values), 0.95), 40);
  EXPECT_EQ(lowerQuantile(std::span<float>(values), 1), 50);
  std::vector<double> hundred(100);
  for (int i = 0; i < 100; ++i) hundred[std::size_t(i)] = 99 - i;
  EXPECT_EQ(lowerQuantile(std::span<double>(hundred), 0.95), 94);
}

TEST(StatisticsTest, TakesTheUpperOneOfTwoInTheMiddle) {
  auto values = shuffled();
  EXPECT_EQ(upperMedian(std::span<float>(values)), 30);
  std::vector<double> even{4, 1, 3, 2};
  EXPECT_EQ(upperMedian(std::span<double>(even)), 3);
}

TEST(StatisticsTest, InterpolatesBetweenRanks) {
  // The values of R's quantile(c(10, 20, 30, 40, 50), q, type = 7) and NumPy's percentile.
  const std::vector<std::pair<double, double>> known{{0, 10}, {0.1, 14}, {0.5, 30}, {0.9, 46}, {1, 50}};
  for (const auto& [q, expected] : known) {
    auto values = shuffled();
    EXPECT_DOUBLE_EQ(interpolatedQuantile(values, q), expected) << q;
    std::sort(values.begin(), values.end());
    EXPECT_DOUBLE_EQ(interpolatedQuantileOfSorted(values, q), expected) << q;
  }
}

TEST(StatisticsTest, OfOneValueAllAreThatValue) {
  std::vector<float> one{7};
  EXPECT_EQ(lowerQuantile(std::span<float>(one), 0.5), 7);
  EXPECT_EQ(upperMedian(std::span<float>(one)), 7);
  EXPECT_EQ(interpolatedQuantile(one, 0.5), 7);
  EXPECT_EQ(interpolatedQuantileOfSorted(one, 1), 7);
}

TEST(StatisticsTest, ReordersAndLosesNothing) {
  auto values = shuffled();
  interpolatedQuantile(values, 0.3);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(values, (std::vector<float>{10, 20, 30, 40, 50}));
}

}  // namespace
}  // namespace sulcus
