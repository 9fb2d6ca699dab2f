#include "core/preparation/diffusion/signal_drift.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

constexpr int kVolumes = 40;

/// Every eighth volume is unweighted.
GradientTable interspersed() {
  GradientTable table;
  for (int v = 0; v < kVolumes; ++v)
    table.rows.push_back(v % 8 == 0 ? Gradient{} : Gradient{1000, {std::cos(v), std::sin(v), 0}});
  return table;
}

/// A bright ball whose brightness changes by this share from the first volume to the last, along a curve.
Series<float> drifting(double share, double noise) {
  std::mt19937 words(3);
  std::normal_distribution<double> normal(0, noise);
  Series<float> series(Grid{{12, 12, 12}}, kVolumes);
  for (int v = 0; v < kVolumes; ++v) {
    const double t = double(v) / (kVolumes - 1), gain = 1 + share * (0.5 * t + 0.5 * t * t);
    for (std::int64_t i = 0; i < series.grid.voxels(); ++i) {
      const Vec3<int> p = series.grid.voxel(i);
      const double r = std::hypot(p.x - 5.5, p.y - 5.5, p.z - 5.5);
      series.at(i, v) = float(gain * (r < 5 ? (v % 8 == 0 ? 1000 : 300) : 5) + normal(words));
    }
  }
  return series;
}

TEST(SignalDriftTest, IsFoundAndTakenOut) {
  for (const double share : {-0.08, 0.03}) {
    const Series<float> series = drifting(share, 5);
    const SignalDrift drift = findDrift(series, interspersed());
    ASSERT_EQ(drift.gain.size(), std::size_t(kVolumes));
    EXPECT_EQ(drift.gain[0], 1);
    EXPECT_NEAR(drift.gain[20], 1 + share * 0.388, 0.002);  // t = 20/39
    EXPECT_NEAR(drift.gain[32], 1 + share * 0.747, 0.002);  // the last unweighted one
    const Series<float> straight = withoutDrift(series, drift);
    const std::int64_t middle = series.grid.index(6, 6, 6);
    EXPECT_FLOAT_EQ(straight.at(middle, 32), float(series.at(middle, 32) / drift.gain[32]));
  }
}

TEST(SignalDriftTest, IsNotSeenWhereThereIsNone) {
  EXPECT_TRUE(findDrift(drifting(0, 20), interspersed()).gain.empty());
  EXPECT_TRUE(findDrift(drifting(0.003, 1), interspersed()).gain.empty()) << "too small to matter";
  const Series<float> series = drifting(0, 20);
  EXPECT_EQ(withoutDrift(series, {}).values, series.values);
}

TEST(SignalDriftTest, IsNotToldByVolumesAtTheBeginningAlone) {
  GradientTable table = interspersed();
  for (int v = 0; v < kVolumes; ++v)
    table.rows[std::size_t(v)] = v < 5 ? Gradient{} : Gradient{1000, {1, 0, 0}};
  EXPECT_TRUE(findDrift(drifting(0.05, 5), table).gain.empty());
}

}  // namespace
}  // namespace sulcus::preparation
