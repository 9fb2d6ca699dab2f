#include "core/math/parallel_quantile.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// Values of both signs, of all sizes, with many ties.
std::vector<float> someValues(std::size_t count) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float size = i % 3 == 0 ? 1e-3F : i % 3 == 1 ? 1.0F : 1e6F;
    values[i] = i % 5 == 0 ? 7.0F : size * normal(random);
  }
  return values;
}

TEST(ParallelQuantile, IsThatOfTheSortedValues) {
  for (const std::size_t count : {1u, 2u, 3u, 1000u, 700000u}) {
    const auto values = someValues(count);
    auto sorted = values;
    std::sort(sorted.begin(), sorted.end());
    for (const double q : {0.0, 0.001, 0.3, 0.5, 0.6181, 0.98, 1.0})
      EXPECT_DOUBLE_EQ(parallelQuantile(values, q), interpolatedQuantileOfSorted(sorted, q))
          << count << " values, " << q;
  }
}

TEST(ParallelQuantile, LiesBetweenValuesThatAreFarApart) {
  EXPECT_DOUBLE_EQ(parallelQuantile(std::vector<float>{1e6F, -1e6F, -2e6F, 3e6F}, 0.5), 0);
  EXPECT_DOUBLE_EQ(parallelQuantile(std::vector<float>{-0.0F, 0.0F}, 0.5), 0);
}

TEST(ParallelQuantile, DoesNotDependOnTheThreads) {
  const auto values = someValues(700000);
  double one = 0;
  withThreads(1, [&] { one = parallelQuantile(values, 0.7); });
  EXPECT_EQ(one, parallelQuantile(values, 0.7));
}

}  // namespace
}  // namespace sulcus
