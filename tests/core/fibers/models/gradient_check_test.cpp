#include "core/fibers/models/gradient_check.h"

#include "core/base/error.h"

#include <atomic>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

/// A table of two unweighted volumes and directions on the half sphere (golden spiral).
GradientTable spiral(int directions) {
  GradientTable table;
  table.rows = {{0, {}}, {0, {}}};
  for (int i = 0; i < directions; ++i) {
    const double z = (i + 0.5) / directions, r = std::sqrt(1 - z * z),
                 angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
    table.rows.push_back({1000, {r * std::cos(angle), r * std::sin(angle), z}});
  }
  return table;
}

/// A bundle in the shape of a quarter of a helix: it is curved in the plane and rises, so that no change of
/// axes maps it to itself. Signals follow from the true directions of `table`, on a grid whose axes are
/// rotated relative to the world.
Series<float> bundle(const GradientTable& table) {
  Grid grid;
  grid.size = {24, 20, 16};
  const double c = std::cos(0.2), s = std::sin(0.2);
  grid.worldFromVoxel.m = {{{-2 * c, -2 * s, 0}, {-2 * s, 2 * c, 0}, {0, 0, 2.5}}};
  Series<float> dwi(grid, int(table.rows.size()));
  const Affine worldFromVoxel = grid.worldFromVoxel;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    // The circle around voxel (−2, −2), in mm along the image axes.
    const double x = 2 * (v.x + 2.0), y = 2 * (v.y + 2.0), z = 2.5 * v.z;
    const double radius = std::hypot(x, y), angle = std::atan2(y, x);
    const bool inside = std::abs(radius - 30) < 6 && std::abs(z - (4 + 20 * angle)) < 6;
    // The direction along the helix: −sin, cos and a rise of 20 mm per radian.
    const Vec3<double> image =
        normalized(Vec3<double>{-std::sin(angle) * radius, std::cos(angle) * radius, 20});
    const Vec3<double> world = normalized(worldFromVoxel.vector({image.x / 2, image.y / 2, image.z / 2.5}));
    for (int k = 0; k < dwi.count; ++k) {
      const double cosine = dot(world, table.rows[k].directionWorld), b = table.rows[k].b / 1000;
      const double diffusivity = inside ? 0.3 + 1.4 * cosine * cosine : 0.9;
      dwi.at(i, k) = float(1000 * std::exp(-b * diffusivity));
    }
  }
  return dwi;
}

TEST(GradientCheck, FindsNothingWrongWithARightTable) {
  const GradientTable table = spiral(30);
  const GradientCheck check = checkGradients(bundle(table), table);
  EXPECT_EQ(check.ranked.size(), 24u);
  EXPECT_TRUE(check.ranked.front().change.asGiven()) << check.recommendation;
  EXPECT_TRUE(check.agrees);
  EXPECT_GT(check.ranked[0].pathLength, 1.1 * check.ranked[1].pathLength) << "the phantom decides";
}

TEST(GradientCheck, LooksOftenWhetherItShouldStop) {
  const GradientTable table = spiral(30);
  const Series<float> dwi = bundle(table);
  std::atomic<int> looks = 0;
  const Progress counting({}, [&](double, std::string_view stage) { looks += stage == "trying axes"; });
  checkGradients(dwi, table, counting);
  EXPECT_GE(looks, 48);  // for the 24 changes, each more than once
}

TEST(GradientCheck, FindsEveryFlipAndExchange) {
  const GradientTable table = spiral(30);
  const Series<float> dwi = bundle(table);
  const GradientCheck all = checkGradients(dwi, table);
  std::set<std::string> names;
  for (const TriedAxes& wrong : all.ranked) {
    names.insert(wrong.description);
    if (wrong.change.asGiven()) continue;
    const GradientTable spoilt = withAxisChange(table, dwi.grid, wrong.change);
    const GradientCheck check = checkGradients(dwi, spoilt);
    EXPECT_FALSE(check.agrees) << wrong.description;
    // The repaired table has the directions of the correct one, up to sign.
    const GradientTable repaired = withAxisChange(spoilt, dwi.grid, check.ranked.front().change);
    for (std::size_t v = 2; v < table.rows.size(); ++v)
      ASSERT_NEAR(std::abs(dot(repaired.rows[v].directionWorld, table.rows[v].directionWorld)), 1, 1e-9)
          << wrong.description << " answered by " << check.ranked.front().description;
    EXPECT_NE(check.recommendation.find(check.ranked.front().description), std::string::npos);
  }
  EXPECT_EQ(names.size(), 24u);
}

/// A head: arcs from side to side like those of the corpus callosum, beside them vertical fibers, outside of
/// these fibers from front to back, in gray matter. If `isRandom`, directions are meaningless.
Series<float> head(const GradientTable& table, bool isRandom) {
  Grid grid;
  grid.size = {32, 38, 32};
  Series<float> dwi(grid, int(table.rows.size()));
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const double x = v.x - 15.5, y = v.y - 18.5, z = v.z - 15.5;
    const double radius = std::sqrt(x * x / 196 + y * y / 289 + z * z / 196);
    Vec3<double> fiber{z, 0, -x};
    if (std::abs(x) > 7) fiber = {0, 0, 1};
    if (std::abs(x) > 10) fiber = {0, 1, 0};
    if (isRandom) fiber = {normal(random), normal(random), normal(random)};
    fiber = normalized(fiber);
    for (int k = 0; k < dwi.count; ++k) {
      const double cosine = dot(fiber, table.rows[std::size_t(k)].directionWorld);
      const double diffusivity = radius < 0.85 ? 0.3 + 1.4 * cosine * cosine : 0.8;
      const double signal = radius < 1 ? std::exp(-table.rows[std::size_t(k)].b / 1000 * diffusivity) : 0;
      dwi.at(i, k) = float(1000 * std::hypot(signal + 0.04 * normal(random), 0.04 * normal(random)));
    }
  }
  return dwi;
}

TEST(GradientCheck, TellsRightFromWrongInAHead) {
  const GradientTable table = spiral(30);
  const Series<float> dwi = head(table, false);
  EXPECT_TRUE(checkGradients(dwi, table).agrees);
  AxisChange exchanged;
  exchanged.source = {0, 2, 1};
  const GradientCheck check = checkGradients(dwi, withAxisChange(table, dwi.grid, exchanged));
  EXPECT_FALSE(check.agrees);
  EXPECT_EQ(check.ranked.front().change.source, exchanged.source);
}

TEST(GradientCheck, SaysNothingWhereItIsNotSure) {
  const GradientTable table = spiral(30);
  const GradientCheck check = checkGradients(head(table, true), table);
  EXPECT_TRUE(check.agrees) << check.recommendation;
}

TEST(GradientCheck, RefusesWhatItCannotDecide) {
  const GradientTable table = spiral(30);
  const Series<float> dwi = bundle(table);
  GradientTable short1 = table;
  short1.rows.pop_back();
  EXPECT_THROW(checkGradients(dwi, short1), Error);
  GradientTable alike = table;
  for (auto& row : alike.rows)
    if (row.b > 0) row.directionWorld = {1, 0, 0};
  EXPECT_THROW(checkGradients(dwi, alike), Error);
  const Series<float> isotropic(dwi.grid, dwi.count, 500.f);
  const GradientCheck none = checkGradients(isotropic, table);
  EXPECT_TRUE(none.agrees);
  EXPECT_NE(none.recommendation.find("No voxel"), std::string::npos) << none.recommendation;
}

}  // namespace
}  // namespace sulcus::fibers
