#include "core/activation/model/automatic_mask.h"

#include "core/base/parallel/parallel_for.h"
#include "tests/core/activation/tables.h"

#include <cmath>
#include <limits>
#include <random>

namespace sulcus::activation {
namespace {

using namespace test;

Grid gridOfSize(int x, int y, int z) {
  Grid grid;
  grid.size = {x, y, z};
  return grid;
}

double dice(const Mask& a, const Mask& b) {
  double both = 0, sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    both += a.values[i] && b.values[i], sum += (a.values[i] != 0) + (b.values[i] != 0);
  return 2 * both / sum;
}

/// A bright ball of radius 9 voxels, its intensity falling to half from one side to the other, with noise.
struct Phantom {
  Mask truth{gridOfSize(28, 26, 24)};
  Series<float> series{gridOfSize(28, 26, 24), 6};

  explicit Phantom(double background, double noise) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < truth.grid.voxels(); ++i) {
      const auto v = truth.grid.voxel(i);
      const double dx = v.x - 13.5, dy = v.y - 12.5, dz = v.z - 11.5;
      const bool inside = dx * dx + dy * dy + dz * dz < 81;
      truth.values[std::size_t(i)] = inside;
      const double mean = inside ? 1000 + 30 * dx : background;
      for (int t = 0; t < 6; ++t)
        series.at(i, t) = float(std::hypot(mean + noise * normal(random), noise * normal(random)));
    }
  }
};

TEST(AutomaticMask, FindsAHeadInNoise) {
  for (const double background : {0.0, 50.0, 150.0}) {
    const Phantom phantom(background, 60);
    EXPECT_GE(dice(automaticMask(phantom.series), phantom.truth), 0.99) << background;
  }
}

TEST(AutomaticMask, FillsHolesAndExcludesSmallPieces) {
  Phantom phantom(20, 10);
  auto& series = phantom.series;
  for (int t = 0; t < series.count; ++t) {
    for (int x = 12; x < 15; ++x)
      for (int y = 11; y < 14; ++y) series.volume(t)(x, y, 11) = 5;  // a dark ventricle
    for (int x = 0; x < 3; ++x) series.volume(t)(x, 0, 0) = 1500;    // an eye
  }
  const Mask mask = automaticMask(series);
  EXPECT_EQ(mask(13, 12, 11), 1);
  EXPECT_EQ(mask(0, 0, 0), 0);
  EXPECT_GE(dice(mask, phantom.truth), 0.99);
}

TEST(AutomaticMask, OfASliceIsFilledWithinIt) {
  Series<float> series(gridOfSize(20, 20, 1), 2, 0.0f);
  for (int y = 4; y < 16; ++y)
    for (int x = 4; x < 16; ++x)
      for (int t = 0; t < 2; ++t) series.volume(t)(x, y, 0) = x == 9 && y == 9 ? 1.0f : 100.0f;
  const Mask mask = automaticMask(series);
  std::int64_t count = 0;
  for (const auto v : mask.values) count += v;
  EXPECT_EQ(count, 144);
  EXPECT_EQ(mask(9, 9, 0), 1);
  EXPECT_EQ(mask(0, 0, 0), 0);
}

TEST(AutomaticMask, TakesCornersAsNeighborsInsideButNotAround) {
  // Two blocks that touch at one corner are one component. A hole that touches the outside only at a corner
  // remains a hole.
  Series<float> series(gridOfSize(12, 12, 1), 1, 0.0f);
  for (int i = 1; i < 6; ++i)
    for (int j = 1; j < 6; ++j) series.volume(0)(i, j, 0) = series.volume(0)(i + 5, j + 5, 0) = 100;
  series.volume(0)(5, 4, 0) = 0, series.volume(0)(4, 4, 0) = 0;  // open to the right: not a hole
  series.volume(0)(7, 7, 0) = 0;                                 // a hole
  const Mask mask = automaticMask(series);
  EXPECT_EQ(mask(1, 1, 0), 1);
  EXPECT_EQ(mask(10, 10, 0), 1);
  EXPECT_EQ(mask(4, 4, 0), 0);
  EXPECT_EQ(mask(7, 7, 0), 1);
}

TEST(AutomaticMask, IsTheSameForAnyNumberOfThreads) {
  const Phantom phantom(80, 80);
  Mask single, several;
  withThreads(1, [&] { single = automaticMask(phantom.series); });
  withThreads(4, [&] { several = automaticMask(phantom.series); });
  EXPECT_EQ(single.values, several.values);
}

TEST(AutomaticMask, CountsVoxelsThatAreNotFiniteAsDark) {
  Phantom phantom(20, 10);
  for (int t = 0; t < 6; ++t) phantom.series.volume(t)(0, 0, 0) = std::numeric_limits<float>::infinity();
  phantom.series.volume(2)(1, 0, 0) = NAN;
  EXPECT_GE(dice(automaticMask(phantom.series), phantom.truth), 0.99);
}

TEST(AutomaticMask, OfACutOutHeadIsAllOfIt) {
  // Dark parts, as near the sinuses, also belong to the mask. Noise other than 0 does not mean a
  // skull-stripped head.
  Phantom phantom(0, 20);
  auto& series = phantom.series;
  for (std::int64_t i = 0; i < series.grid.voxels(); ++i)
    for (int t = 0; t < series.count; ++t) {
      if (!phantom.truth.values[std::size_t(i)]) series.at(i, t) = 0;
      if (series.grid.voxel(i).y > 18) series.at(i, t) *= 0.03f;
    }
  EXPECT_EQ(automaticMask(series).values, phantom.truth.values);
  Phantom noisy(40, 40);
  for (int t = 0; t < noisy.series.count; ++t)  // an empty border of a realigned scan
    for (int z = 0; z < 24; ++z)
      for (int y = 0; y < 26; ++y)
        for (int x = 0; x < 4; ++x) noisy.series.volume(t)(x, y, z) = 0;
  EXPECT_GE(dice(automaticMask(noisy.series), noisy.truth), 0.99);
}

TEST(AutomaticMask, WorksWithoutTheMeanOfEachVoxel) {
  Phantom phantom(0, 0);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < phantom.series.grid.voxels(); ++i)
    for (int t = 0; t < phantom.series.count; ++t)
      phantom.series.at(i, t) = float(normal(random) * (phantom.truth.values[std::size_t(i)] ? 20 : 1));
  EXPECT_GE(dice(automaticMask(phantom.series), phantom.truth), 0.95);
}

/// A head: brain, dark skull, a scalp connected to the brain by a bridge, bright eyes.
struct Head {
  Mask brain{gridOfSize(44, 52, 40)};
  Series<float> series{gridOfSize(44, 52, 40), 4, 0.0f};

  Head(bool zeroAir, float scalp) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < brain.grid.voxels(); ++i) {
      const auto v = brain.grid.voxel(i);
      const double x = v.x - 21.5, y = v.y - 25.5, z = v.z - 19.5;
      const double r = std::sqrt(x * x / 256 + y * y / 441 + z * z / 225), depth = (r - 1) * 17;
      brain.values[std::size_t(i)] = depth < 0;
      const bool bridge = std::abs(x) < 2 && std::abs(z) < 2 && y < 0,
                 eye = std::hypot(std::abs(x) - 8, y - 21, z + 9) < 3;
      const double mean = depth < -12   ? 1300
                          : depth < 0   ? 900 + 10 * x
                          : eye         ? 1600
                          : depth < 2   ? (bridge ? 700 : 80)
                          : depth < 3.5 ? scalp
                                        : 0;
      for (int t = 0; t < series.count; ++t)
        if (!zeroAir || mean > 0)
          series.at(i, t) = float(std::hypot(mean + 20 * normal(random), 20 * normal(random)));
    }
  }
};

TEST(AutomaticMask, IsTheBrainWithoutScalpAndEyes) {
  for (const bool zeroAir : {true, false})
    for (const float scalp : {300.0f, 600.0f, 900.0f}) {
      const Head head(zeroAir, scalp);
      EXPECT_GE(dice(automaticMask(head.series), head.brain), 0.95) << zeroAir << " " << scalp;
    }
}

TEST(AutomaticMask, OfWideVoxelsIsTheBrainToo) {
  for (const float scalp : {300.0f, 600.0f, 900.0f}) {
    const Head fine(true, scalp);
    Mask brain(gridOfSize(22, 26, 20));
    Series<float> series(brain.grid, fine.series.count, 0.0f);
    for (std::int64_t i = 0; i < brain.grid.voxels(); ++i) {
      const auto v = brain.grid.voxel(i);
      int inside = 0;
      for (int corner = 0; corner < 8; ++corner) {
        const int x = 2 * v.x + corner % 2, y = 2 * v.y + corner / 2 % 2, z = 2 * v.z + corner / 4;
        inside += fine.brain(x, y, z);
        for (int t = 0; t < series.count; ++t) series.at(i, t) += fine.series.volume(t)(x, y, z) / 8;
      }
      brain.values[std::size_t(i)] = inside > 4;
    }
    EXPECT_GE(dice(automaticMask(series), brain), 0.95) << scalp;
  }
}

TEST(AutomaticMask, FollowsACoilThatIsBrighterAtOneSide) {
  Head head(true, 600);
  for (std::int64_t i = 0; i < head.brain.grid.voxels(); ++i)
    for (int t = 0; t < head.series.count; ++t)
      head.series.at(i, t) *= float(std::exp(0.03 * (head.brain.grid.voxel(i).y - 25.5)));
  EXPECT_GE(dice(automaticMask(head.series), head.brain), 0.95);
}

TEST(AutomaticMask, TakesWhatBrightFluidOutshines) {
  for (const bool zeroAir : {true, false}) {
    Head head(zeroAir, 300);
    for (std::int64_t i = 0; i < head.brain.grid.voxels(); ++i) {
      const auto v = head.brain.grid.voxel(i);
      const bool isFluid = std::hypot(v.x - 21.5, v.y - 25.5, v.z - 19.5) < 5 || (v.x + v.y + v.z) % 12 < 3;
      if (head.brain.values[std::size_t(i)] && isFluid)
        for (int t = 0; t < head.series.count; ++t) head.series.at(i, t) *= 4;
    }
    EXPECT_GE(dice(automaticMask(head.series), head.brain), 0.95) << zeroAir;
  }
}

TEST(AutomaticMask, OfAHeadInZeroAirLeavesItsDimRimOut) {
  Phantom phantom(0, 20);
  auto& series = phantom.series;
  for (std::int64_t i = 0; i < series.grid.voxels(); ++i) {
    const auto v = series.grid.voxel(i);
    const double r = std::hypot(v.x - 13.5, v.y - 12.5, v.z - 11.5);
    for (int t = 0; t < series.count; ++t)
      if (r >= 9) series.at(i, t) = r < 11 ? 150.0f + float(t) : 0.0f;
  }
  EXPECT_GE(dice(automaticMask(series), phantom.truth), 0.99);
}

TEST(AutomaticMask, OfASharplyCutBrainIsAllOfItThoughAFifthIsDim) {
  Phantom phantom(0, 20);
  auto& series = phantom.series;
  for (std::int64_t i = 0; i < series.grid.voxels(); ++i)
    for (int t = 0; t < series.count; ++t) {
      if (!phantom.truth.values[std::size_t(i)]) series.at(i, t) = 0;
      if (series.grid.voxel(i).y > 16) series.at(i, t) *= 0.35f;
    }
  EXPECT_EQ(automaticMask(series).values, phantom.truth.values);
}

/// As in a T1-weighted scan: a ball of radius 20 voxels with dark furrows two voxels wide, in darker bone.
struct Furrowed {
  Mask truth{gridOfSize(52, 52, 64)};
  Series<float> series{truth.grid, 2, 0.0f};

  explicit Furrowed(bool hasNeck) {
    for (std::int64_t i = 0; i < truth.grid.voxels(); ++i) {
      const auto v = truth.grid.voxel(i);
      const double x = v.x - 25.5, y = v.y - 25.5, z = v.z - 38.5, r = std::sqrt(x * x + y * y + z * z);
      truth.values[std::size_t(i)] = r < 20;
      const bool furrow = r > 14 && std::abs(x) < 12 && v.x % 9 < 2;
      const bool neck = hasNeck && z < -17 && std::hypot(x, y) < (z < -24 ? 17 : 7);
      for (int t = 0; t < 2; ++t)
        series.at(i, t) = float(t + (r < 20 ? (furrow ? 450 : 1000) : neck ? 800 : r < 23 ? 100 : 5));
    }
  }
};

TEST(AutomaticMask, HasTheDarkFluidInFurrows) {
  const Furrowed scan(false);
  EXPECT_GE(dice(automaticMask(scan.series), scan.truth), 0.97);
}

TEST(AutomaticMask, LeavesOutWhatAWideNeckConnects) {
  const Furrowed scan(true);
  EXPECT_GE(dice(automaticMask(scan.series), scan.truth), 0.95);
}

TEST(AutomaticMask, OfFineVoxelsIsThatOfWideOnes) {
  const Head wide(true, 900);
  Mask brain(gridOfSize(132, 156, 120));
  for (auto& row : brain.grid.worldFromVoxel.m)
    for (double& value : row) value /= 3;
  Series<float> series(brain.grid, 1);
  for (std::int64_t i = 0; i < brain.grid.voxels(); ++i) {
    const auto v = brain.grid.voxel(i);
    brain.values[std::size_t(i)] = wide.brain(v.x / 3, v.y / 3, v.z / 3);
    series.at(i, 0) = wide.series.at(wide.brain.grid.index(v.x / 3, v.y / 3, v.z / 3), 0);
  }
  EXPECT_GE(dice(automaticMask(series), brain), 0.95);
}

TEST(AutomaticMask, OfNothingIsRefused) {
  for (const float value : {0.0f, float(NAN)}) {
    const Series<float> series(gridOfSize(4, 4, 4), 3, value);
    expectError([&] { automaticMask(series); }, {"no signal", "give a mask"});
  }
}

TEST(AutomaticMask, OfAnEvenImageIsAllOfIt) {
  const Series<float> series(gridOfSize(5, 5, 5), 3, 7.0f);
  for (const auto v : automaticMask(series).values) EXPECT_EQ(v, 1);
}

}  // namespace
}  // namespace sulcus::activation
