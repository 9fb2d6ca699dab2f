#include "core/image/labels/label_regions.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <random>

#include <gmock/gmock.h>

namespace sulcus {
namespace {

using testing::HasSubstr;

Grid millimeters(const Vec3<int>& size) {
  Grid grid{size, {}};
  grid.worldFromVoxel.t = {-10, 0, 5};
  return grid;
}

Layer image(const Series<float>& series) {
  Layer layer;
  layer.name = "image";
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(series), {}, 0, {}};
  return layer;
}

/// A ball within a ball, like a structure in a brain.
Series<float> nestedBalls(float outer, float inner) {
  Series<float> series(millimeters({20, 20, 20}), 1);
  for (int z = 0; z < 20; ++z)
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 20; ++x) {
        const double r = std::hypot(x - 9.5, y - 9.5, z - 9.5);
        series.values[std::size_t(series.grid.index(x, y, z))] = r < 4 ? inner : r < 9 ? outer : 0;
      }
  return series;
}

TEST(LabelRegions, AreCountedWithTheirMeanInTheScanner) {
  Volume<Label> labels(millimeters({4, 3, 2}));
  labels.values[std::size_t(labels.grid.index(1, 0, 0))] = 7;
  labels.values[std::size_t(labels.grid.index(3, 2, 1))] = 7;
  labels.values[std::size_t(labels.grid.index(0, 1, 1))] = -2;
  const auto regions = labelRegions(labels);
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].label, -2);
  EXPECT_EQ(regions[0].voxels, 1);
  EXPECT_EQ(regions[1].label, 7);
  EXPECT_EQ(regions[1].voxels, 2);
  EXPECT_EQ(regions[1].mean, (Vec3<double>{-8, 1, 5.5}));
}

TEST(LabelRegions, HaveAMiddleOfTheirOwnAlsoWhereTheyAreBent) {
  Volume<Label> labels(millimeters({5, 5, 1}));
  for (int i = 0; i < 5; ++i)
    for (const auto& [x, y] : {std::pair(0, i), {4, i}, {i, 4}})
      labels.values[std::size_t(labels.grid.index(x, y, 0))] = 1;
  const Vec3<double> middle = middlesOf(labels, labelRegions(labels)).at(1),
                     voxel = labels.grid.worldFromVoxel.inverse().point(middle);
  EXPECT_EQ(voxel, (Vec3<double>{2, 4, 0}));
}

TEST(LooksLikeLabels, WhatIsPiecewiseConstant) {
  EXPECT_TRUE(looksLikeLabels(nestedBalls(1, 1))) << "a mask";
  EXPECT_TRUE(looksLikeLabels(nestedBalls(1002, 17))) << "a parcellation";
  EXPECT_TRUE(looksLikeLabels(nestedBalls(255, 255))) << "a mask with another number";
}

TEST(LooksLikeLabels, NoScanAndNoEmptyImage) {
  EXPECT_FALSE(looksLikeLabels(nestedBalls(0, 0)));
  EXPECT_FALSE(looksLikeLabels(nestedBalls(0.5F, 1))) << "probabilities";
  EXPECT_FALSE(looksLikeLabels(nestedBalls(NAN, 1)));
  Series<float> two(millimeters({4, 4, 4}), 2);
  std::fill(two.values.begin(), two.values.end(), 1.F);
  EXPECT_FALSE(looksLikeLabels(two)) << "a series";
  // Integers of few bits, as scanners write them: 0 to 255, noise of 3 %.
  Series<float> scan = nestedBalls(90, 160);
  std::mt19937 random(4);
  std::normal_distribution<float> noise(0, 5);
  for (float& v : scan.values) v = std::round(std::clamp(v + (v > 0 ? noise(random) : 0), 0.F, 255.F));
  EXPECT_FALSE(looksLikeLabels(scan));
}

TEST(Labels, AreMadeOfAVolumeAndBack) {
  const Layer volume = image(nestedBalls(3, 8));
  const Layer labels = asLabels(volume);
  const auto& values = std::get<LabelsLayer>(labels.content).labels->values;
  EXPECT_EQ(values[std::size_t(gridOf(labels)->index(10, 10, 10))], 8);
  EXPECT_FALSE(labels.display.outline);
  EXPECT_LT(labels.display.opacity, 1) << "the scan below is seen";
  EXPECT_TRUE(asLabels(image(nestedBalls(1, 1))).display.outline) << "a mask";
  const Layer back = asVolume(labels);
  EXPECT_EQ(std::get<VolumeLayer>(back.content).series->values,
            std::get<VolumeLayer>(volume.content).series->values);
  EXPECT_EQ(back.display, Display());
}

TEST(Labels, AreNotMadeOfMeasurements) {
  EXPECT_THAT(test::errorOf([] { asLabels(image(nestedBalls(0.5F, 1))); }),
              HasSubstr("'image' cannot be used as labels (labels are integers, one per voxel): "));
}

}  // namespace
}  // namespace sulcus
