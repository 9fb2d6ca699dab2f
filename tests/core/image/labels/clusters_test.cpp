#include "core/image/labels/clusters.h"

#include "core/image/display/shown_values.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// 2 mm voxels, the first at (−10, 0, 5).
Volume<float> emptyMap(const Vec3<int>& size) {
  Grid grid;
  grid.size = size;
  for (int axis = 0; axis < 3; ++axis) grid.worldFromVoxel.m[axis][axis] = 2;
  grid.worldFromVoxel.t = {-10, 0, 5};
  return Volume<float>(grid);
}

std::vector<Cluster> clustersOf(const Volume<float>& map, const Display& shown,
                                const ClusterOptions& options = {}) {
  return findClusters(map.view(), map.grid, shown, options);
}

Display above(double threshold) {
  Display display;
  display.hideBelow = threshold;
  return display;
}

TEST(Clusters, AreWhatTheThresholdShowsLargestFirst) {
  Volume<float> map = emptyMap({10, 4, 4});
  map(0, 0, 0) = 3;
  for (int x = 5; x < 8; ++x) map(x, 1, 1) = float(x);
  map(6, 1, 2) = 2.9F;  // below the threshold
  const auto clusters = clustersOf(map, above(3));
  ASSERT_EQ(clusters.size(), 2u);
  EXPECT_EQ(clusters[0].voxels, 3);
  EXPECT_DOUBLE_EQ(clusters[0].volume, 24);
  EXPECT_EQ(clusters[0].center, (Vec3<double>{2, 2, 7}));
  ASSERT_EQ(clusters[0].peaks.size(), 1u);
  EXPECT_EQ(clusters[0].peaks[0].value, 7);
  EXPECT_EQ(clusters[0].peaks[0].voxel, (Vec3<int>{7, 1, 1}));
  EXPECT_EQ(clusters[0].peaks[0].place, (Vec3<double>{4, 2, 7}));
  EXPECT_EQ(clusters[1].voxels, 1);
}

TEST(Clusters, HangTogetherAsTheConnectivitySays) {
  Volume<float> map = emptyMap({3, 3, 3});
  map(0, 0, 0) = map(1, 0, 0) = 1;  // shared face
  map(2, 1, 0) = 1;                 // shares an edge with the second
  map(1, 2, 1) = 1;                 // shares a corner with the third
  ClusterOptions options;
  options.connectivity = Connectivity::faces;
  EXPECT_EQ(clustersOf(map, above(1), options).size(), 3u);
  options.connectivity = Connectivity::edges;
  EXPECT_EQ(clustersOf(map, above(1), options).size(), 2u);
  options.connectivity = Connectivity::corners;
  EXPECT_EQ(clustersOf(map, above(1), options).size(), 1u);
}

TEST(Clusters, OfBothSignsStayApart) {
  Volume<float> map = emptyMap({4, 1, 1});
  map.values = {4, 5, -6, -4};
  Display tails;
  tails.hideBelow = 3;
  tails.hideAbove = -3;
  const auto clusters = clustersOf(map, tails);
  ASSERT_EQ(clusters.size(), 2u);
  EXPECT_EQ(clusters[0].peaks[0].value, 5);
  EXPECT_EQ(clusters[1].peaks[0].value, -6);
}

TEST(Clusters, LeaveOutZeroAndWhatIsNoNumber) {
  Volume<float> map = emptyMap({5, 1, 1});
  map.values = {1, 0, 1, NAN, 1};
  EXPECT_EQ(clustersOf(map, above(-5)).size(), 3u);
}

TEST(Clusters, BelowTheLeastVolumeAreLeftOut) {
  Volume<float> map = emptyMap({5, 1, 1});
  map.values = {1, 1, 0, 1, 0};
  ClusterOptions options;
  options.leastVolume = 16;  // two voxels
  ASSERT_EQ(clustersOf(map, above(1), options).size(), 1u);
  EXPECT_EQ(clustersOf(map, above(1), options)[0].voxels, 2);
}

TEST(Clusters, HavePeaksThatAreApart) {
  Volume<float> map = emptyMap({12, 1, 1});
  map.values = {9, 5, 8, 5, 5, 7, 5, 5, 5, 5, 5, 6};
  const auto peaksOf = [&](int most, double distance) {
    ClusterOptions options;
    options.peaks = most;
    options.peakDistance = distance;
    std::vector<double> values;
    const auto clusters = clustersOf(map, above(1), options);
    for (const Peak& peak : clusters.at(0).peaks) values.push_back(peak.value);
    return values;
  };
  EXPECT_EQ(peaksOf(10, 0), (std::vector<double>{9, 8, 7, 6}));
  EXPECT_EQ(peaksOf(10, 4), (std::vector<double>{9, 7, 6}));
  EXPECT_EQ(peaksOf(1, 4), (std::vector<double>{9}));
}

TEST(Clusters, HaveTheirPeakInTheMiddleOfLevelGround) {
  Volume<float> map = emptyMap({12, 3, 1});
  map.values.assign(map.values.size(), 0.9F);
  for (int x = 0; x < 2; ++x) map(x, 0, 0) = 1;
  for (int x = 5; x < 10; ++x)
    for (int y = 0; y < 3; ++y) map(x, y, 0) = 1;
  ClusterOptions options;
  options.peakDistance = 4;
  const auto clusters = clustersOf(map, above(0.5), options);
  ASSERT_EQ(clusters.size(), 1u);
  ASSERT_EQ(clusters[0].peaks.size(), 2u);
  EXPECT_EQ(clusters[0].peaks[0].voxel, (Vec3<int>{7, 1, 0})) << "the most voxels, and of them the middle";
  EXPECT_EQ(clusters[0].peaks[1].voxel, (Vec3<int>{0, 0, 0}));
  // A flat area below a summit is not a peak.
  map.values.assign(map.values.size(), 1);
  map(11, 2, 0) = 2;
  ASSERT_EQ(clustersOf(map, above(0.5), options)[0].peaks.size(), 1u);
  EXPECT_EQ(clustersOf(map, above(0.5), options)[0].peaks[0].value, 2);
}

TEST(ShownValues, AreToldInWords) {
  Display display;
  EXPECT_EQ(shownValuesText(display), "of every size");
  display.hideBelow = 3.1;
  EXPECT_EQ(shownValuesText(display), "above 3.1");
  display.hideAbove = -2;
  EXPECT_EQ(shownValuesText(display), "below -2 or above 3.1");
  display.hideAbove = 5;
  EXPECT_EQ(shownValuesText(display), "between 3.1 and 5");
  display.hideBelow.reset();
  EXPECT_EQ(shownValuesText(display), "below 5");
  display.negativeColormap = "blue-lightblue";
  EXPECT_EQ(shownValuesText(display), "of a size below 5");
}

}  // namespace
}  // namespace sulcus
