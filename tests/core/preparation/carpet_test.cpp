#include "core/preparation/carpet.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

using testing::ElementsAre;

TEST(Carpet, ChoosesVoxelsEvenlyFromTheTopToTheBottom) {
  const auto even = [](std::int64_t i) { return i % 2 == 0; };
  EXPECT_THAT(carpetVoxels(10, even, 100), ElementsAre(8, 6, 4, 2, 0));
  EXPECT_THAT(carpetVoxels(10, even, 2), ElementsAre(4, 0));
  EXPECT_TRUE(carpetVoxels(
                  10, [](std::int64_t) { return false; }, 2)
                  .empty());
}

TEST(Carpet, ShowsEachSeriesInItsStandardDeviations) {
  Series<float> series(Grid{{3, 1, 1}, {}}, 2);
  series.values = {10, 5, 1, 14, 5, NAN};
  const std::vector<std::int64_t> voxels{0, 1, 2};
  const auto rows = carpetOf(series, voxels);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[0], ElementsAre(-1, 1));
  EXPECT_TRUE(std::isnan(rows[1][0])) << "nothing changes";
  EXPECT_TRUE(std::isnan(rows[2][0])) << "no number";
}

}  // namespace
}  // namespace sulcus::preparation
