#include "core/activation/sampler/series_blocks.h"

#include <mutex>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

Series<float> someSeries() {
  Grid grid;
  grid.size = {23, 19, 5};
  Series<float> series(grid, 7);
  std::mt19937 random(1);
  for (float& value : series.values) value = float(random() % 1000);
  return series;
}

TEST(SeriesBlocks, AreTheSameHoweverManyAreReadTogether) {
  const Series<float> bold = someSeries();
  std::vector<std::int64_t> voxels;
  for (std::int64_t i = 3; i < bold.grid.voxels(); i += 1 + i % 2) voxels.push_back(i);
  for (const std::int64_t atOnce : {0, 256, 512, 1 << 20}) {
    std::mutex mutex;  // guards what follows
    std::vector<int> visits(voxels.size());
    int wrong = 0;
    forSeries(bold, voxels, atOnce, {}, [&](std::int64_t begin, std::int64_t end, const SeriesRows& y) {
      const std::lock_guard lock(mutex);
      wrong += begin % kSeriesPerBlock != 0 || end - begin > kSeriesPerBlock || y.rows() != bold.count ||
               y.cols() != end - begin;
      for (std::int64_t i = begin; i < end; ++i) {
        ++visits[std::size_t(i)];
        for (int v = 0; v < bold.count; ++v)
          wrong += y(v, i - begin) != double(bold.at(voxels[std::size_t(i)], v));
      }
    });
    EXPECT_EQ(wrong, 0) << atOnce;
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int n) { return n == 1; })) << atOnce;
  }
}

TEST(SeriesBlocks, OfASeriesInMemoryAreReadByThemselves) { EXPECT_EQ(voxelsAtOnce(someSeries()), 0); }

TEST(SeriesBlocks, CanBeCancelled) {
  const Series<float> bold = someSeries();
  std::vector<std::int64_t> voxels(std::size_t(bold.grid.voxels()));
  std::iota(voxels.begin(), voxels.end(), 0);
  std::stop_source stop;
  stop.request_stop();
  const auto none = [](std::int64_t, std::int64_t, SeriesRows&) {};
  for (const std::int64_t atOnce : {0, 256})
    EXPECT_THROW(forSeries(bold, voxels, atOnce, Progress(stop.get_token(), {}), none), Cancelled) << atOnce;
}

}  // namespace
}  // namespace sulcus::activation
