#include "core/image/tracts/tract_measures.h"

#include "tests/support/some_tracts.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Tracts twoLines() {
  Tracts tracts;
  tracts.points = {{0, 0, 0}, {3, 4, 0}, {3, 4, 12}, {1, 1, 1}, {1, 1, 2}};
  tracts.first = {0, 3, 5};
  tracts.perLine = {{"w", 1, {7, 8}}};
  tracts.perPoint = {{"v", 2, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}};
  return tracts;
}

TEST(TractMeasures, LengthsByHand) {
  const Tracts tracts = twoLines();
  EXPECT_EQ(lengthOf(tracts.line(0)), 17);
  const TractSummary all = summaryOf(tracts);
  EXPECT_EQ(all.lines, 2u);
  EXPECT_EQ(all.meanLength, 9);
  EXPECT_EQ(all.shortest, 1);
  EXPECT_EQ(all.longest, 17);
  EXPECT_EQ(summaryOf(tracts, std::vector<std::uint32_t>{1}).meanLength, 1);
  EXPECT_EQ(summaryOf(Tracts()).lines, 0u);
}

TEST(TractMeasures, VolumeCountsCubesOnce) {
  // Points at 0, 5 along the diagonal and 12 above: three cubes of 2 mm; the second line is in one.
  const Tracts tracts = twoLines();
  EXPECT_EQ(volumeOf(tracts, std::vector<std::uint32_t>{0}), 3 * 8.0);
  EXPECT_EQ(volumeOf(tracts, std::vector<std::uint32_t>{1}), 8.0);
  EXPECT_EQ(volumeOf(tracts, {}), 0);
}

TEST(TractMeasures, OutsideIsMeasuredFromTheEdgesOfTheVoxels) {
  Grid grid;
  grid.size = {4, 5, 6};
  grid.worldFromVoxel.m = {{{-2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
  Tracts tracts;
  tracts.points = {{0.99f, 0, 0}, {-6.9f, 8.9f, 10.9f}, {-3, 4, 14}, {4, 4, 15}};
  tracts.first = {0, 4};
  const Outside outside = outsideOf(tracts, grid);
  EXPECT_EQ(outside.share, 0.5);
  EXPECT_NEAR(outside.farthest, 5, 1e-5);  // 3 to the right and 4 above
  EXPECT_EQ(outsideOf(Tracts(), grid).share, 0);
}

TEST(TractMeasures, SomeLinesKeepTheirData) {
  const Tracts some = linesOf(twoLines(), std::vector<std::uint32_t>{1});
  EXPECT_EQ(some.first, (std::vector<std::uint64_t>{0, 2}));
  EXPECT_EQ(some.points[0], (Vec3<float>{1, 1, 1}));
  EXPECT_EQ(some.perLine[0].values, (std::vector<float>{8}));
  EXPECT_EQ(some.perPoint[0].values, (std::vector<float>{6, 7, 8, 9}));
}

}  // namespace
}  // namespace sulcus
