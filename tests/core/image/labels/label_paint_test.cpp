#include "core/image/labels/label_paint.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Volume<Label> emptyVolume(double spacing = 1) {
  Grid grid;
  grid.size = {21, 21, 21};
  for (int axis = 0; axis < 3; ++axis) grid.worldFromVoxel.m[std::size_t(axis)][std::size_t(axis)] = spacing;
  grid.worldFromVoxel.t = {-10 * spacing, -10 * spacing, -10 * spacing};
  return Volume<Label>(grid);
}

std::int64_t count(const Volume<Label>& labels, Label label) {
  return std::count(labels.values.begin(), labels.values.end(), label);
}

TEST(LabelPaint, MakesABallOfItsRadius) {
  auto labels = emptyVolume();
  EXPECT_EQ(paint(labels, {{0, 0, 0}, {0, 0, 0}, 5, 3, {}}), 515) << "points of whole numbers in a ball of 5";
  EXPECT_EQ(count(labels, 3), 515);
  EXPECT_EQ(labels(15, 10, 10), 3);
  EXPECT_EQ(labels(16, 10, 10), 0);
  EXPECT_EQ(paint(labels, {{0, 0, 0}, {0, 0, 0}, 5, 3, {}}), 0) << "nothing new";
}

TEST(LabelPaint, MeasuresInMillimetersNotVoxels) {
  auto labels = emptyVolume(2);
  EXPECT_EQ(paint(labels, {{0, 0, 0}, {0, 0, 0}, 5, 1, {}}), 81)
      << "points of whole numbers in a ball of 2.5";
}

TEST(LabelPaint, MakesADiscInTheSliceItIsDrawnOn) {
  auto labels = emptyVolume();
  // Not at the center of the slice, as the crosshair may be.
  EXPECT_EQ(paint(labels, {{0, 0, 0.4}, {0, 0, 0.4}, 5, 1, Vec3<double>{0, 0, 1}}), 81)
      << "points of whole numbers in a disc of 5";
  for (int z = 0; z < 21; ++z) EXPECT_EQ(labels(10, 10, z), z == 10 ? 1 : 0);
}

TEST(LabelPaint, MakesADiscInAnObliqueSliceOneVoxelThick) {
  auto labels = emptyVolume();
  const Vec3<double> across{0, -0.6, 0.8};
  EXPECT_GT(paint(labels, {{0, 0, 0}, {0, 0, 0}, 8, 1, across}), 100);
  for (int z = 0; z < 21; ++z)
    for (int y = 0; y < 21; ++y)
      for (int x = 0; x < 21; ++x) {
        const Vec3<double> p{x - 10.0, y - 10.0, z - 10.0};
        const double off = dot(p, across), radius = norm(p - off * across);
        EXPECT_EQ(labels(x, y, z), off >= -0.4 && off < 0.4 && radius <= 8) << x << " " << y << " " << z;
      }
}

TEST(LabelPaint, LeavesNoGapsOnItsWay) {
  auto labels = emptyVolume();
  paint(labels, {{-9, 0, 0}, {9, 0, 0}, 0.6, 1, {}});
  for (int x = 1; x <= 19; ++x) EXPECT_EQ(labels(x, 10, 10), 1) << x;
  EXPECT_EQ(labels(0, 10, 10), 0);
}

TEST(LabelPaint, PaintsTheVoxelUnderABrushSmallerThanIt) {
  auto labels = emptyVolume(4);
  EXPECT_EQ(paint(labels, {{1.5, 1.5, 0}, {1.5, 1.5, 0}, 0.1, 1, {}}), 1);
  EXPECT_EQ(labels(10, 10, 10), 1);
}

TEST(LabelPaint, ErasesAndPaintsOnlyOverWhatItMay) {
  auto labels = emptyVolume();
  std::fill(labels.values.begin(), labels.values.end(), 2);
  labels(10, 10, 10) = 5;
  EXPECT_EQ(paint(labels, {{0, 0, 0}, {0, 0, 0}, 5, 7, {}, 5}), 1);
  EXPECT_EQ(count(labels, 7), 1);
  EXPECT_EQ(paint(labels, {{0, 0, 0}, {0, 0, 0}, 5, 0, {}}), 515);
}

TEST(LabelPaint, OutsideOfTheGridPaintsNothing) {
  auto labels = emptyVolume();
  EXPECT_EQ(paint(labels, {{100, 0, 0}, {200, 0, 0}, 5, 1, {}}), 0);
}

TEST(LabelPaint, ForgetsTheFileThatHeldOtherLabels) {
  Layer layer = emptyLabels("regions", emptyVolume().grid);
  layer.source = "atlas.nii.gz";
  const Layer painted = withLabels(layer, std::make_shared<const Volume<Label>>(emptyVolume()));
  EXPECT_EQ(painted.source, "");
  EXPECT_EQ(painted.notes.back(), "It was opened from atlas.nii.gz.");
}

}  // namespace
}  // namespace sulcus
