#include "core/analysis/histogram.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(HistogramBars, HaveAreaOneFromTheSmallestToTheLargest) {
  std::vector<float> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(float(i * i) / 1000);
  const auto bars = histogramBars("squares", values);
  ASSERT_TRUE(bars);
  EXPECT_EQ(bars->name, "squares");
  ASSERT_EQ(bars->x.size(), bars->y.size());
  const double width = bars->x[1] - bars->x[0];
  EXPECT_NEAR(bars->x.front() - width / 2, 0, 1e-9);
  EXPECT_NEAR(bars->x.back() + width / 2, 1000, 1e-6);
  EXPECT_NEAR(width * std::accumulate(bars->y.begin(), bars->y.end(), 0.0), 1, 1e-9);
  EXPECT_GT(bars->y.front(), 5 * bars->y.back()) << "squares lie densest at 0";
}

TEST(HistogramBars, AreNoneOfOneValue) {
  EXPECT_FALSE(histogramBars("none", {}));
  EXPECT_FALSE(histogramBars("one", std::vector<float>(5, 2.0f)));
}

}  // namespace
}  // namespace sulcus
