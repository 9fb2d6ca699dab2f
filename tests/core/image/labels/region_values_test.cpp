#include "core/image/labels/region_values.h"

#include "core/image/labels/label_regions.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Grid line(int voxels, double spacing, double origin) {
  Grid grid;
  grid.size = {voxels, 1, 1};
  grid.worldFromVoxel.m[0][0] = spacing;
  grid.worldFromVoxel.t = {origin, 0, 0};
  return grid;
}

TEST(RegionValues, AreTheNumbersInEachLabel) {
  Volume<Label> labels(line(6, 2, 0));
  labels.values = {1, 1, 1, 0, 2, 3};
  Series<float> image(labels.grid, 2);
  image.values = {0, 0, 0, 0, 0, 0, 1, 2, 6, 9, 5, NAN};
  const auto regions = regionValues(labels, image, 1);
  ASSERT_EQ(regions.size(), 3u);
  EXPECT_EQ(regions[0].label, 1);
  EXPECT_EQ(regions[0].voxels, 3);
  EXPECT_DOUBLE_EQ(regions[0].volume, 6);
  EXPECT_DOUBLE_EQ(regions[0].mean, 3);
  EXPECT_DOUBLE_EQ(regions[0].deviation, std::sqrt(7.0));
  EXPECT_EQ(regions[0].low, 1);
  EXPECT_EQ(regions[0].high, 6);
  EXPECT_EQ(regions[0].middle, (Vec3<double>{2, 0, 0}));
  EXPECT_EQ(regions[1].deviation, 0);
  EXPECT_EQ(regions[2].voxels, 0);
  EXPECT_EQ(regions[2].regionVoxels, 1);
  EXPECT_TRUE(std::isnan(regions[2].mean));
}

TEST(RegionValues, HaveTheMiddlesOfTheRegions) {
  Volume<Label> labels(line(9, 2, 0));
  labels.values = {1, 0, 0, 1, 2, 1, 2, 2, 2};
  const auto regions = regionValues(labels, Series<float>(labels.grid, 1), 0);
  const auto middles = middlesOf(labels, labelRegions(labels));
  ASSERT_EQ(regions.size(), 2u);
  for (const RegionValues& region : regions) EXPECT_EQ(region.middle, middles.at(region.label));
}

TEST(RegionValues, OfAnotherGridCountTheVoxelsWithTheirCenterInTheLabel) {
  Volume<Label> labels(line(2, 4, 0));  // from −2 to 2 and from 2 to 6
  labels.values = {1, 2};
  Series<float> image(line(8, 1, -1.6), 1);  // −1.6, −0.6, … 5.4
  for (int i = 0; i < 8; ++i) image.values[std::size_t(i)] = float(i);
  const auto regions = regionValues(labels, image, 0);
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].voxels, 4);
  EXPECT_DOUBLE_EQ(regions[0].mean, 1.5);
  EXPECT_EQ(regions[1].voxels, 4);
  EXPECT_EQ(regions[1].low, 4);
}

TEST(RegionValues, AreATableThatLeadsToEachRegion) {
  Volume<Label> labels(line(3, 2, 0));
  labels.values = {0, 4, 0};
  Series<float> image(labels.grid, 1);
  image.values = {0, 2.5, 0};
  LabelTable names;
  names[4].name = "Pons";
  const TableLayer table = regionTable(regionValues(labels, image, 0), &names);
  EXPECT_EQ(table.columns.size(), 12u);
  EXPECT_EQ(table.rows, (std::vector<std::vector<std::string>>{
                            {"4", "Pons", "1", "2.0", "1", "2.5", "0", "2.5", "2.5", "2.0", "0.0", "0.0"}}));
}

TEST(RegionSeries, IsTheMeanOfEachVolume) {
  Series<float> series(line(3, 1, 0), 2);
  series.values = {1, 3, 100, 5, 9, NAN};
  const RegionSeries means = regionSeries({2, 2, 1}, 2, series);
  EXPECT_EQ(means.voxels, 2);
  EXPECT_EQ(means.mean, (std::vector<double>{2, 7}));
  EXPECT_DOUBLE_EQ(means.deviation[1], std::sqrt(8.0));
  EXPECT_TRUE(std::isnan(regionSeries({2, 2, 1}, 1, series).mean[1]));
}

}  // namespace
}  // namespace sulcus
