#include "core/preparation/slice_interpolation.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

constexpr double kTr = 2;
const std::vector<double> kTimes{0, 1, 0.5, 1.5};

/// A signal with a period of 20 s, each slice at its own time.
double signalAt(double seconds) { return 100 + 5 * std::sin(seconds * 0.314159) + 0.02 * seconds; }

Series<float> interleaved(int volumes) {
  Series<float> series(Grid{{3, 2, 4}}, volumes);
  for (int v = 0; v < volumes; ++v)
    for (std::int64_t i = 0; i < series.grid.voxels(); ++i)
      series.at(i, v) = float(signalAt(v * kTr + kTimes[std::size_t(series.grid.voxel(i).z)]));
  return series;
}

TEST(SliceInterpolation, LetsAllSlicesStandForTheMiddleTime) {
  const int volumes = 40;
  const Series<float> series = interpolatedSlices(interleaved(volumes), {{0, volumes}}, {{kTimes}, kTr}, {});
  EXPECT_EQ(middleOf(kTimes), 0.75);
  for (int v = 4; v < volumes - 4; ++v)  // nothing is known beyond the ends
    for (std::int64_t i = 0; i < series.grid.voxels(); ++i)
      EXPECT_NEAR(series.at(i, v), signalAt(v * kTr + 0.75), 0.02);
}

TEST(SliceInterpolation, DoesNotReachFromOneRunToTheNext) {
  Series<float> series = interleaved(24);
  for (int v = 12; v < 24; ++v)
    for (std::int64_t i = 0; i < series.grid.voxels(); ++i) series.at(i, v) = 500;
  const Series<float> result = interpolatedSlices(series, {{0, 12}, {12, 24}}, {{kTimes, kTimes}, kTr}, {});
  for (std::int64_t i = 0; i < series.grid.voxels(); ++i) {
    EXPECT_LT(result.at(i, 11), 110);
    EXPECT_NEAR(result.at(i, 12), 500, 1e-3);
  }
}

TEST(SliceInterpolation, LeavesASeriesThatHoldsNoNumber) {
  Series<float> series = interleaved(12);
  series.at(0, 5) = std::numeric_limits<float>::quiet_NaN();
  const Series<float> result = interpolatedSlices(series, {{0, 12}}, {{kTimes}, kTr}, {});
  EXPECT_EQ(result.at(0, 4), series.at(0, 4));
  EXPECT_NE(result.at(1, 4), series.at(1, 4));
}

}  // namespace
}  // namespace sulcus::preparation
