#include "tests/support/crossing_fibers.h"
#include "tests/support/crossing_score.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

// What the default settings reach where two fibers cross, at other seeds than those they were chosen with.

namespace sulcus::fibers {
namespace {

struct Reached {
  int order;
  bool isWarnedOf;  ///< of more false peaks than asked for
  test::CrossingScore one, two;
};

Reached reached(const test::CrossingOptions& crossing) {
  const auto scan = test::crossingFibers(crossing);
  FiberOptions options;
  options.model = FiberModel::csd;
  const auto maps = findFibers(scan.input, options, {});
  const bool isWarnedOf = std::ranges::any_of(
      maps.notes, [](const std::string& note) { return note.starts_with("Warning: the peaks hold more"); });
  return {maps.order, isWarnedOf, test::scoreOf(maps.peaks, scan.truth, 0, crossing.single),
          test::scoreOf(maps.peaks, scan.truth, crossing.single, maps.peaks.grid.voxels())};
}

test::CrossingOptions crossing(double b, double snr, double smallest, double largest, double share) {
  test::CrossingOptions options;
  options.b = b, options.snr = snr, options.smallest = smallest, options.largest = largest;
  options.largestShare = share, options.seed = 20261122;
  return options;
}

TEST(Crossings, InMuchNoiseShowNoPeaksOfNoise) {
  const auto found = reached(crossing(3000, 15, 80, 90, 0.5));
  EXPECT_EQ(found.order, 8);
  EXPECT_GE(found.two.right, 0.99);
  EXPECT_LE(found.two.falsePeaks, 0.01);
  EXPECT_GE(found.one.right, 0.99);
  EXPECT_FALSE(found.isWarnedOf);
}

TEST(Crossings, SayWhereNoiseMakesMorePeaksThanWasAskedFor) {
  const auto found = reached(crossing(1000, 10, 80, 90, 0.5));
  EXPECT_GT(found.two.falsePeaks, 0.05);
  EXPECT_TRUE(found.isWarnedOf);
}

TEST(Crossings, OfUnequalFibersInMuchNoiseShowNoPeaksOfNoise) {
  // The smaller fiber, with a share down to 0.3, is lost in some voxels.
  const auto found = reached(crossing(3000, 15, 80, 90, 0.7));
  EXPECT_LE(found.two.falsePeaks, 0.01);
  EXPECT_GE(found.two.right, 0.9);
}

TEST(Crossings, InLittleNoiseLoseNothing) {
  for (const double share : {0.5, 0.7}) {
    const auto found = reached(crossing(3000, 30, 45, 60, share));
    EXPECT_EQ(found.order, 10);
    EXPECT_GE(found.two.right, 0.995) << share;
    EXPECT_LE(found.two.falsePeaks, 0.005) << share;
    EXPECT_LT(found.two.error, 3.1) << share;
    EXPECT_GE(found.one.right, 0.995) << share;
    EXPECT_LT(found.one.error, 1) << share;
  }
}

TEST(Crossings, AreToldApartAt40And35Degrees) {
  const auto at40 = reached(crossing(3000, 30, 40, 40, 0.6)), at35 = reached(crossing(3000, 30, 35, 35, 0.6));
  EXPECT_GE(at40.two.right, 0.9);
  EXPECT_LT(at40.two.error, 4);
  EXPECT_GE(at35.two.right, 0.25);
  EXPECT_LE(at35.two.falsePeaks, 0.01);
}

TEST(Crossings, OfAWeakWeightingKeepTheUsualOrder) {
  const auto found = reached(crossing(1000, 30, 60, 90, 0.6));
  EXPECT_EQ(found.order, 8);
  EXPECT_GE(found.two.right, 0.95);
  EXPECT_LE(found.two.falsePeaks, 0.01);
}

}  // namespace
}  // namespace sulcus::fibers
