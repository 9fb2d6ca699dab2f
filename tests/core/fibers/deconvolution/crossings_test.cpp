#include "tests/support/crossing_fibers.h"
#include "tests/support/crossing_score.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// The accuracy of the default settings for two crossing fibers, with other seeds than those used to choose
// them.

namespace sulcus::fibers {
namespace {

struct Reached {
  int order;
  bool isWarnedOf;  ///< about more false peaks than allowed
  test::CrossingScore one, two;
};

Reached reached(const test::CrossingOptions& crossing) {
  const auto scan = test::crossingFibers(crossing);
  FiberOptions options;
  options.model = FiberModel::csd;
  const auto maps = findFibers(scan.input, options, {});
  const bool isWarnedOf = std::ranges::any_of(
      maps.notes, [](const std::string& note) { return note.starts_with("Warning: more false peaks"); });
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
  EXPECT_EQ(found.order, 10);
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
  // The smaller fiber, with a share as low as 0.3, is lost in some voxels.
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

TEST(Crossings, OfAWeakWeightingAreFound) {
  const auto found = reached(crossing(1000, 30, 60, 90, 0.6));
  EXPECT_GE(found.two.right, 0.95);
  EXPECT_LE(found.two.falsePeaks, 0.01);
}

TEST(Crossings, At40DegreesAreToldApartInNoiseAndWithFewDirections) {
  EXPECT_GE(reached(crossing(3000, 20, 40, 40, 0.6)).two.right, 0.7);  // order 8: 0.5
  auto few = crossing(3000, 20, 40, 40, 0.6);
  few.directions = 30;
  EXPECT_GE(reached(few).two.right, 0.5);  // order 6, the most that these determine: 0.04
}

enum class Kind { two, three, twoAndCsf, twoAndGray, gray, csf };

/// A scan whose voxels after those with one fiber contain each kind in turn: crossings at right angles of
/// equal fibers, half of gray matter (0.8·10⁻³ mm²/s, 1.15 times as bright as white matter) or of CSF
/// (3·10⁻³, 1.6 times).
test::CrossingScan kindsOf(const test::CrossingOptions& options) {
  auto scan = test::crossingFibers(options);
  auto dwi = std::make_shared<Series<float>>(*scan.input.dwi);
  const Series<float> two = scan.truth;
  scan.truth = Series<float>(two.grid, 9, std::nanf(""));
  std::mt19937 bits(7);
  std::normal_distribution<double> noise(0, 1 / options.snr);
  for (std::int64_t voxel = 0; voxel < two.grid.voxels(); ++voxel) {
    const auto fiber = [&](int f) {
      return normalized(
          Vec3<double>{two.at(voxel, 3 * f), two.at(voxel, 3 * f + 1), two.at(voxel, 3 * f + 2)});
    };
    std::vector<Vec3<double>> fibers{fiber(0)};
    const auto kind = Kind((voxel - options.single) % 6);
    const bool isCrossing = voxel >= options.single;
    if (isCrossing) {
      const auto third = normalized(cross(fiber(0), fiber(1)));
      fibers = {fiber(0), cross(third, fiber(0)), third};
      fibers.resize(kind == Kind::three ? 3 : kind == Kind::gray || kind == Kind::csf ? 0 : 2);
    }
    for (std::size_t f = 0; f < fibers.size(); ++f)
      for (int i = 0; i < 3; ++i) scan.truth.at(voxel, 3 * int(f) + i) = float(fibers[f][i]);
    if (!isCrossing) continue;
    const double white = kind == Kind::two || kind == Kind::three  ? 1
                         : kind == Kind::gray || kind == Kind::csf ? 0
                                                                   : 0.5;
    const bool isCsf = kind == Kind::csf || kind == Kind::twoAndCsf;
    for (int v = 0; v < dwi->count; ++v) {
      const Gradient& row = scan.input.gradients.rows[std::size_t(v)];
      double signal = (1 - white) * (isCsf ? 1.6 : 1.15) * std::exp(-row.b * (isCsf ? 3e-3 : 0.8e-3));
      for (const auto& one : fibers) {
        const double cosine = dot(row.directionWorld, one);
        signal += white / double(fibers.size()) *
                  std::exp(-row.b * (options.radial + (options.axial - options.radial) * cosine * cosine));
      }
      dwi->at(voxel, v) = float(1000 * std::hypot(signal + noise(bits), noise(bits)));
    }
  }
  scan.input.dwi = std::move(dwi);
  return scan;
}

/// The share of correct voxels and, where there is no fiber, the peaks in a voxel, by kind.
std::vector<double> reachedByKind(double snr, int directions) {
  auto options = crossing(3000, snr, 80, 90, 0.5);
  options.crossing = 1800, options.directions = directions;
  const auto scan = kindsOf(options);
  FiberOptions csd;
  csd.model = FiberModel::csd;
  const auto maps = findFibers(scan.input, csd, {});
  std::vector<double> reached(6, 0.0);
  for (std::int64_t voxel = options.single; voxel < maps.peaks.grid.voxels(); ++voxel) {
    const auto kind = std::size_t(voxel - options.single) % 6;
    reached[kind] += (kind < 4 ? test::scoreOf(maps.peaks, scan.truth, voxel, voxel + 1).right
                               : double(maps.count.values[std::size_t(voxel)])) /
                     300;
  }
  return reached;
}

TEST(Crossings, OfThreeFibersAndBesideOtherTissueAreFound) {
  const auto reached = reachedByKind(20, 64);
  const auto at = [&](Kind kind) { return reached[std::size_t(kind)]; };
  EXPECT_GE(at(Kind::two), 0.99);
  EXPECT_GE(at(Kind::three), 0.97);
  EXPECT_GE(at(Kind::twoAndCsf), 0.65);
  EXPECT_GE(at(Kind::twoAndGray), 0.8);
  EXPECT_LE(at(Kind::gray), 0.08);
  EXPECT_LE(at(Kind::csf), 0.08);
}

TEST(Crossings, OfThreeFibersAreFoundInMuchNoiseAndWithFewDirections) {
  const auto noisy = reachedByKind(12, 64), few = reachedByKind(20, 30);
  for (const auto& reached : {noisy, few}) {
    EXPECT_GE(reached[std::size_t(Kind::two)], 0.96);
    EXPECT_GE(reached[std::size_t(Kind::three)], 0.65);
    EXPECT_LE(reached[std::size_t(Kind::gray)], 0.15);
  }
}

}  // namespace
}  // namespace sulcus::fibers
