#include "core/preparation/dvars.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

Grid smallGrid() {
  Grid grid;
  grid.size = {10, 10, 10};
  return grid;
}

TEST(Dvars, AreOneWhereThereIsNoiseWithMemoryAlone) {
  Series<float> series(smallGrid(), 300);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < 1000; ++i)
    for (double v = 0, last = normal(random) / std::sqrt(1 - 0.16); v < 300; ++v) {
      series.at(i, int(v)) = float(500 + 10 * last);
      last = 0.4 * last + normal(random);
    }
  for (std::int64_t i = 0; i < 1000; ++i) series.at(i, 150) += 20;
  const Dvars dvars = dvarsOf(series, Mask(smallGrid(), 1), {{0, 100}, {100, 300}}, {});
  EXPECT_EQ(dvars.plain[0], 0);
  EXPECT_EQ(dvars.standardized[100], 0);
  EXPECT_NEAR(dvars.standardized[50], 1, 0.06);
  EXPECT_NEAR(dvars.plain[50], 2 * 10 * std::sqrt(2 * 0.6 / (1 - 0.16)), 1.5);  // the median becomes 1000
  EXPECT_GT(dvars.standardized[150], 1.5);
  EXPECT_GT(dvars.standardized[151], 1.5);
}

TEST(Dvars, AreNothingWhereNothingChanges) {
  const Dvars dvars = dvarsOf(Series<float>(smallGrid(), 5, 3.f), Mask(smallGrid(), 1), {{0, 5}}, {});
  EXPECT_EQ(dvars.plain, std::vector<double>(5));
}

}  // namespace
}  // namespace sulcus::preparation
