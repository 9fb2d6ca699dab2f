#include "core/image/tracts/tract_regions.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "tests/support/some_tracts.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

using Role = TractRegion::Role;

TEST(TractRegions, AreReadAsTheyAreWritten) {
  for (const char* text : {"sphere:1,-2.5,3,4", "box:-10,0,12.25,5,6,7"})
    EXPECT_EQ(textOf(regionFrom(text, Role::include)), text);
  for (const char* text : {"sphere:1,2,3", "sphere:1,2,3,0", "box:1,2,3,4,5", "cube:1,2,3,4",
                           "sphere:1,2,x,4", "sphere:1,2,3,nan", "", "sphere:1,2,3,4,"})
    EXPECT_THROW(regionFrom(text, Role::include), Error) << text;
}

TEST(TractRegions, ASegmentMeetsWhatItPassesThrough) {
  const TractRegion ball = regionFrom("sphere:0,0,0,1", Role::include),
                    box = regionFrom("box:0,0,0,2,2,2", Role::include);
  EXPECT_TRUE(meets(ball, {-5, 0.9f, 0}, {5, 0.9f, 0}));
  EXPECT_FALSE(meets(ball, {-5, 1.1f, 0}, {5, 1.1f, 0}));
  EXPECT_FALSE(meets(ball, {2, 0, 0}, {5, 0, 0}));
  EXPECT_TRUE(meets(box, {-5, 0.9f, 0}, {5, 0.9f, 0}));
  EXPECT_TRUE(meets(box, {0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}));
  EXPECT_FALSE(meets(box, {0, 2.5f, 0}, {2.5f, 0, 0}));
  EXPECT_TRUE(meets(box, {0, 1.5f, 0}, {1.5f, 0, 0}));
}

TEST(TractRegions, IncludeExcludeAndEnd) {
  Tracts tracts;
  tracts.points = {{0, 0, 0}, {10, 0, 0}, {0, 0, 0}, {0, 10, 0}, {0, 0, 0}, {10, 0, 0}, {20, 0, 0}};
  tracts.first = {0, 2, 4, 7};
  const auto chosen = [&](std::vector<TractRegion> regions) { return linesChosen(tracts, regions); };
  using Lines = std::vector<std::uint32_t>;
  EXPECT_EQ(chosen({}), (Lines{0, 1, 2}));
  EXPECT_EQ(chosen({regionFrom("sphere:5,0,0,1", Role::include)}), (Lines{0, 2}));
  EXPECT_EQ(
      chosen({regionFrom("sphere:5,0,0,1", Role::include), regionFrom("sphere:15,0,0,1", Role::exclude)}),
      (Lines{0}));
  EXPECT_EQ(chosen({regionFrom("sphere:10,0,0,1", Role::end)}), (Lines{0}));
  EXPECT_EQ(chosen({regionFrom("sphere:0,0,0,1", Role::end), regionFrom("box:20,0,0,2,2,2", Role::end)}),
            (Lines{2}));
}

/// The index compared with a test of every line, for lines with short and long steps.
TEST(TractRegions, TheIndexFindsTheSameLines) {
  Grid grid;
  grid.size = {100, 100, 100};
  for (const float step : {1.0f, 8.0f, 60.0f}) {
    auto tracts = std::make_shared<Tracts>(test::someTracts(grid, 500));
    for (std::size_t i = 0; i < tracts->points.size(); ++i)
      tracts->points[i] = step * (tracts->points[i] - Vec3<float>{49, 49, 49});
    const TractIndex index(tracts);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-4.0 * step, 4.0 * step);
    std::size_t found = 0;
    for (int round = 0; round < 60; ++round) {
      TractRegion region;
      region.shape = round % 2 ? TractRegion::Shape::box : TractRegion::Shape::sphere;
      region.role = round % 3 == 2 ? Role::end : Role::include;
      region.center = {uniform(random), uniform(random), uniform(random)};
      const double reach = 0.05 + std::abs(uniform(random)) * (round % 5 == 0 ? 1 : 0.2);
      region.reach = {reach, round % 2 ? 2 * reach : reach, reach};
      const std::vector<TractRegion> regions{region};
      const std::vector<LineFlags> flags{index.linesIn(region)};
      const auto lines = linesChosen(tracts->lines(), regions, flags);
      EXPECT_EQ(lines, linesChosen(*tracts, regions)) << textOf(region) << " at steps of " << step;
      found += lines.size();
    }
    EXPECT_GT(found, 100u);
  }
}

/// A ball of voxels on a grid that is turned and has steps of three lengths.
std::shared_ptr<const Volume<Label>> turnedBall(const Vec3<double>& middle, double radius) {
  Grid grid;
  grid.size = {30, 26, 22};
  grid.worldFromVoxel.m = {{{0.9, -0.5, 0.1}, {0.4, 1.1, -0.2}, {0.05, 0.3, -1.6}}};
  grid.worldFromVoxel.t = {-12, -17, 10};
  auto labels = std::make_shared<Volume<Label>>(grid);
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3<int> at = grid.voxel(v);
    const Vec3<double> p = grid.worldFromVoxel.point({double(at.x), double(at.y), double(at.z)});
    labels->values[std::size_t(v)] = norm(p - middle) < radius ? 7 : norm(p - middle) < radius + 2 ? 3 : 0;
  }
  return labels;
}

TEST(TractRegions, ALabelIsMetByWhatCrossesItsVoxels) {
  const auto labels = turnedBall({0, 0, -5}, 5);
  const TractRegion ball = labelRegion(labels, 7, Role::include),
                    rind = labelRegion(labels, 3, Role::include);
  EXPECT_EQ(textOf(ball), "label:7");
  EXPECT_TRUE(isIn(ball, {0, 0, -5}));
  EXPECT_FALSE(isIn(rind, {0, 0, -5}));
  EXPECT_TRUE(meets(ball, {-100, 0, -5}, {100, 0, -5}));
  EXPECT_TRUE(meets(rind, {-100, 0, -5}, {100, 0, -5}));
  EXPECT_FALSE(meets(rind, {-1, 0, -5}, {1, 0, -5}));  // within its hollow
  EXPECT_FALSE(meets(ball, {-100, 9, -5}, {100, 9, -5}));
  EXPECT_FALSE(meets(labelRegion(labels, 9, Role::include), {-100, 0, -5}, {100, 0, -5}));
}

TEST(TractRegions, TheIndexFindsTheLinesOfALabel) {
  Grid grid;
  grid.size = {100, 100, 100};
  for (const float step : {0.3f, 1.0f, 8.0f}) {
    auto tracts = std::make_shared<Tracts>(test::someTracts(grid, 500));
    for (std::size_t i = 0; i < tracts->points.size(); ++i)
      tracts->points[i] = step * (tracts->points[i] - Vec3<float>{49, 49, 49});
    const TractIndex index(tracts);
    std::size_t found = 0;
    for (const Role role : {Role::include, Role::end})
      for (const double x : {-5.0, 0.0, 4.0})
        for (const Label label : {3, 7, 9}) {
          const std::vector<TractRegion> regions{labelRegion(turnedBall({x, 1, -6}, 4 + x / 3), label, role)};
          const std::vector<LineFlags> flags{index.linesIn(regions[0])};
          const auto lines = linesChosen(tracts->lines(), regions, flags);
          EXPECT_EQ(lines, linesChosen(*tracts, regions)) << label << " at " << x << ", steps of " << step;
          if (label == 9) EXPECT_TRUE(lines.empty());
          found += lines.size();
        }
    EXPECT_GT(found, 20u);
  }
}

TEST(TractRegions, AnIndexOfNothingFindsNothing) {
  const TractIndex index(std::make_shared<const Tracts>());
  EXPECT_TRUE(index.linesIn(TractRegion()).empty());
}

}  // namespace
}  // namespace sulcus
