#include "core/phantom/acquisition.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

TEST(Acquisition, FindsTheRangeOfAnImage) {
  Series<float> image({{1000, 1, 1}, {}}, 1, 5);
  for (int i = 0; i < 100; ++i) image.values[std::size_t(7 * i)] = float(100 + i);  // those above the mean
  image.values[1] = -2;
  const IntensityRange range = intensityRange(image);
  EXPECT_EQ(range.dark, -2);
  EXPECT_NEAR(range.bright, 197, 1);
}

TEST(Acquisition, ContrastsAreThemselvesInvertedOrRiseAndFall) {
  const IntensityRange range{100, 300};
  for (const double value : {90.0, 100.0, 180.0, 300.0, 350.0}) {
    EXPECT_EQ(inContrast(value, range, PhantomContrast::none), value);
    EXPECT_EQ(inContrast(value, range, PhantomContrast::inverted), 400 - value);
  }
  const auto at = [&](double share) {
    return (inContrast(100 + 200 * share, range, PhantomContrast::remapped) - 100) / 200;
  };
  EXPECT_EQ(at(0), 0) << "air stays dark";
  EXPECT_EQ(at(-0.5), 0);
  EXPECT_GT(at(0.2), at(0.65)) << "fluid is brighter than gray matter";
  EXPECT_GT(at(0.65), at(0.9)) << "and this than white matter";
  EXPECT_GT(at(0.9), at(0)) << "which is not dark";
  EXPECT_EQ(at(5), at(1.2));
  for (double share = -0.1; share < 1.4; share += 0.001)  // the steepest part rises five times as fast
    EXPECT_LE(std::abs(at(share + 0.001) - at(share)), 0.005001) << share;
}

TEST(Acquisition, ReceiveFieldsSpanTheirRangeSmoothly) {
  for (const int seed : {1, 2, 3}) {
    const ReceiveField field(seed, 1), none(seed, 0);
    double low = 10, high = 0, steepest = 0;
    const int n = 41;
    for (int i = 0; i < n * n * n; ++i) {
      const auto at = [&](int k) { return double(k) / (n - 1) - 0.5; };
      const Vec3<double> p{at(i % n), at(i / n % n), at(i / (n * n))};
      low = std::min(low, field(p)), high = std::max(high, field(p));
      steepest = std::max(steepest, std::abs(field(p + Vec3<double>{0.01, 0, 0}) / field(p) - 1));
      EXPECT_EQ(none(p), 1);
    }
    EXPECT_NEAR(low, 0.74, 0.01);
    EXPECT_NEAR(high, 1.35, 0.01);
    EXPECT_LE(steepest, 0.02) << "a wavelength is about the width of the image";
  }
}

TEST(Acquisition, FindsTheBrightPartInTheWorld) {
  Grid grid{{20, 20, 20}, {}};
  grid.worldFromVoxel.m = {{{-2, 0, 0}, {0, 1, 0}, {0, 0, 3}}};
  grid.worldFromVoxel.t = {10, 0, -5};
  Series<float> image(grid, 1);
  for (int z = 4; z < 8; ++z)
    for (int y = 10; y < 16; ++y)
      for (int x = 2; x < 4; ++x) image.values[std::size_t(grid.index(x, y, z))] = 1;
  const BrightPart part = brightPart(image);
  EXPECT_NEAR(part.center.x, 10 - 2 * 2.5, 1e-9);
  EXPECT_NEAR(part.center.y, 12.5, 1e-9);
  EXPECT_NEAR(part.center.z, -5 + 3 * 5.5, 1e-9);
  EXPECT_NEAR(part.spread.x, 1, 1e-9);
  EXPECT_NEAR(part.spread.z, 3 * std::sqrt(1.25), 1e-9);
}

TEST(Acquisition, LosesAsMuchSignalAsAskedLowInFrontAndNoneElsewhere) {
  const BrightPart brain{{5, -10, 20}, {30, 40, 30}};
  for (const double strength : {0.3, 1.0}) {
    const SignalLoss loss(brain, strength);
    EXPECT_NEAR(loss({5, -10 + 1.2 * 40, 20 - 30}), 1 - strength, 0.02);  // the other blob extends to there
    EXPECT_LT(loss({5 + 0.8 * 30, -10 + 0.8 * 40, 20 - 1.1 * 30}), 1 - 0.69 * strength);
    EXPECT_GT(loss({5, -10, 20}), 0.99);
    EXPECT_GT(loss({5, -60, 0}), 0.999);
  }
}

}  // namespace
}  // namespace sulcus::phantom
