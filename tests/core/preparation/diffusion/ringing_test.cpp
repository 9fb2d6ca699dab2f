#include "core/preparation/diffusion/ringing.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "tests/core/preparation/diffusion/noisy_series.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

/// A box of height 100 on 100, from the lowest frequencies of a grid four times as fine; or, if `rings` is
/// false, its mean over each voxel.
Series<float> box(int size, bool rings) {
  Grid grid;
  grid.size = {size, size, 1};
  Series<float> series(grid, 1);
  const int fine = 4, n = size * fine, from = n / 4 + 1, to = 3 * n / 4 + 2;
  const auto profile = [&](int t) {
    if (!rings) {
      double inside = 0;
      for (int k = 0; k < fine; ++k) {
        const int place = t * fine + k - fine / 2;
        inside += place >= from && place < to;
      }
      return inside / fine;
    }
    double sum = 0;
    for (int k = -(size / 2) + 1; k < size / 2; ++k)
      for (int x = from; x < to; ++x) sum += std::cos(2 * M_PI * k * (t * fine - x) / n);
    return sum / n;
  };
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) series.volume(0)(x, y, 0) = float(100 + 100 * profile(x) * profile(y));
  return series;
}

double distance(const Series<float>& a, const Series<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) sum += std::pow(double(a.values[i]) - b.values[i], 2);
  return std::sqrt(sum / double(a.values.size()));
}

/// Over the voxels without an edge within two voxels.
double distanceInFlatParts(const Series<float>& a, const Series<float>& plain) {
  const int n = plain.grid.size.x;
  double sum = 0;
  for (int y = 2; y < n - 2; ++y)
    for (int x = 2; x < n - 2; ++x) {
      const float value = plain.volume(0)(x, y, 0);
      bool isFlat = true;
      for (int k = 0; k < 25; ++k) isFlat &= plain.volume(0)(x - 2 + k % 5, y - 2 + k / 5, 0) == value;
      if (isFlat) sum += std::pow(double(a.volume(0)(x, y, 0)) - value, 2);
    }
  return std::sqrt(sum);
}

// mrdegibbs of MRtrix 3.0.3.
TEST(RingingTest, IsEqualToMrtrix) {
  const UnrungSeries result = removeRinging(noisySeries({12, 13, 2}, 3, 20, 4), {});
  EXPECT_NEAR(result.series.volume(0)(0, 0, 0), 106.5681, 1e-4);
  EXPECT_NEAR(result.series.volume(2)(4, 3, 1), 93.17442, 1e-4);
  EXPECT_NEAR(result.series.volume(1)(11, 12, 1), 71.04141, 1e-4);
  EXPECT_NEAR(result.series.volume(1)(2, 5, 0), 131.6581, 1e-4);
  EXPECT_TRUE(result.notes.empty());
}

TEST(RingingTest, TakesRingingAwayBesideEdges) {
  for (const int size : {32, 33}) {
    const Series<float> ringing = box(size, true), plain = box(size, false);
    const UnrungSeries result = removeRinging(ringing, {});
    EXPECT_LT(distanceInFlatParts(result.series, plain), 0.5 * distanceInFlatParts(ringing, plain)) << size;
  }
}

TEST(RingingTest, LeavesASmoothImageAsItIs) {
  Series<float> series(box(24, false).grid, 1);
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 24; ++x)
      series.volume(0)(x, y, 0) =
          float(100 + 10 * std::sin(2 * M_PI * x / 24) + 10 * std::cos(2 * M_PI * y / 24));
  EXPECT_LT(distance(removeRinging(series, {}).series, series), 0.2);
}

TEST(RingingTest, DoesNotDependOnTheNumberOfThreads) {
  const Series<float> series = noisySeries({14, 17, 5}, 9, 20, 4);
  UnrungSeries one, two;
  withThreads(1, [&] { one = removeRinging(series, {}); });
  withThreads(2, [&] { two = removeRinging(series, {}); });
  EXPECT_EQ(one.series.values, two.series.values);
}

TEST(RingingTest, LeavesValuesThatAreNoNumbers) {
  Series<float> series = noisySeries({12, 12, 2}, 2, 20, 4);
  series.volume(1)(4, 5, 1) = std::numeric_limits<float>::infinity();
  const UnrungSeries result = removeRinging(series, {});
  EXPECT_EQ(result.series.volume(1)(4, 5, 1), series.volume(1)(4, 5, 1));
  EXPECT_TRUE(std::isfinite(result.series.volume(1)(4, 6, 1)));
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0], "1 value that is not finite: left as it is.");
}

TEST(RingingTest, RefusesSlicesThatAreTooSmall) {
  EXPECT_THROW(removeRinging(noisySeries({7, 20, 9}, 3, 20, 4), {}), Error);
}

}  // namespace
}  // namespace sulcus::preparation
