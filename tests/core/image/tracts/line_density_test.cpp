#include "core/image/tracts/line_density.h"

#include <numeric>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// Lines along x from 0 to 10 mm, at these y.
Tracts along(std::initializer_list<float> places) {
  Tracts tracts;
  for (const float y : places) {
    tracts.points.push_back({0, y, 0});
    tracts.points.push_back({10, y, 0});
    tracts.first.push_back(tracts.points.size());
  }
  return tracts;
}

double sumOf(const Volume<float>& map) { return std::accumulate(map.values.begin(), map.values.end(), 0.0); }

TEST(LineDensity, OfTwoFilesLiesOnTheScanOfBoth) {
  Grid scan;
  scan.size = {12, 5, 1};
  const auto [a, b] = densitiesOf(along({1, 1, 3}), &scan, along({3}), &scan);
  ASSERT_TRUE(sameGrid(a.grid, scan));
  EXPECT_EQ(a(5, 1, 0), 2);
  EXPECT_EQ(a(5, 3, 0), 1);
  EXPECT_EQ(b(5, 1, 0), 0);
  EXPECT_EQ(b(5, 3, 0), 1);
}

TEST(LineDensity, WithoutACommonScanItLiesAroundBoth) {
  Grid scan, other;
  scan.size = {12, 5, 1}, other.size = {10, 5, 1};
  for (const Grid* second : {static_cast<const Grid*>(nullptr), static_cast<const Grid*>(&other)}) {
    const auto [a, b] = densitiesOf(along({0}), &scan, along({40}), second);
    ASSERT_TRUE(sameGrid(a.grid, b.grid));
    EXPECT_EQ(sumOf(a), 6) << "10 mm from the middle of a voxel of 2 mm";
    EXPECT_EQ(sumOf(b), 6);
    EXPECT_EQ(a(2, 0, 0), 1);
    EXPECT_EQ(b(2, 20, 0), 1);
  }
  const auto [none, one] = densitiesOf({}, nullptr, along({0}), nullptr);
  EXPECT_EQ(sumOf(none), 0);
  EXPECT_EQ(sumOf(one), 6);
  const auto [nothing, either] = densitiesOf({}, nullptr, {}, nullptr);
  EXPECT_EQ(sumOf(nothing) + sumOf(either), 0);
}

/// Lines far from each other do not ask for more memory than there is.
TEST(LineDensity, VoxelsAreLargerWhereTheyWouldBeTooMany) {
  Tracts far;
  far.points = {{-1e5f, -1e5f, -1e5f}, {1e5f, 1e5f, 1e5f}};
  far.first = {0, 2};
  const auto [a, b] = densitiesOf(far, nullptr, far, nullptr);
  EXPECT_LE(a.grid.voxels(), 50'000'000);
  EXPECT_GT(sumOf(a), 100);
}

}  // namespace
}  // namespace sulcus
