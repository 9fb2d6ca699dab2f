#include "core/analysis/layer_agreement.h"

#include "tests/support/expect_error.h"
#include "tests/support/grid.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Grid kLine = test::gridOf({4, 1, 1}, {2, 2, 2});

Layer layerOf(std::string name, LayerContent content) {
  Layer layer;
  layer.name = std::move(name), layer.content = std::move(content);
  return layer;
}

std::shared_ptr<Series<float>> seriesOf(int count, std::vector<float> values, const Grid& grid = kLine) {
  auto series = std::make_shared<Series<float>>(grid, count);
  series->values = std::move(values);
  return series;
}

Layer volumesOf(int count, std::vector<float> values, const Grid& grid = kLine) {
  return layerOf("volumes", VolumeLayer{seriesOf(count, std::move(values), grid)});
}

Layer labelsOf(std::vector<Label> values, const std::string& nameOfOne = {}) {
  auto labels = std::make_shared<Volume<Label>>(kLine);
  labels->values = std::move(values);
  auto names = std::make_shared<LabelTable>();
  (*names)[1].name = nameOfOne;
  return layerOf("labels", LabelsLayer{labels, names});
}

/// Two triangles that form a square of 1 mm at this height.
Layer squareAt(float z) {
  auto mesh = std::make_shared<Mesh>();
  mesh->points = {{0, 0, z}, {1, 0, z}, {1, 1, z}, {0, 1, z}};
  mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
  return layerOf("square", MeshLayer{mesh});
}

const std::vector<float>& differenceIn(const Comparison& comparison) {
  return std::get<VolumeLayer>(comparison.difference->content).series->values;
}

TEST(LayerAgreementOfImages, IsValueByValueWithTheFirstMinusTheSecond) {
  const Comparison comparison = compareLayers(volumesOf(1, {1, 2, 3, NAN}), volumesOf(1, {1, 4, 2, NAN}));
  EXPECT_FALSE(comparison.agrees());
  EXPECT_EQ(comparison.rows.front().quantity, "value");
  EXPECT_EQ(comparison.rows.front().maximum, 2);
  EXPECT_EQ(comparison.rows.front().compared, 3);
  EXPECT_EQ(differenceIn(comparison)[1], -2);
  EXPECT_EQ(differenceIn(comparison)[2], 1);
  ASSERT_EQ(comparison.worst.size(), 2u);
  EXPECT_EQ(comparison.worst.front().voxel.x, 1);
  EXPECT_TRUE(compareLayers(volumesOf(1, {1, 2, 3, 4}), volumesOf(1, {1, 4, 2, 4}), {2}).agrees());
}

TEST(LayerAgreementOfImages, ShowsTheLargestDifferenceOfSeveralVolumes) {
  const Comparison comparison =
      compareLayers(volumesOf(2, {0, 0, 0, 0, 1, 1, 1, 1}), volumesOf(2, {0, 3, 0, 0, 1, 2, 1, -4}));
  EXPECT_THAT(differenceIn(comparison), ElementsAre(0, 3, 0, 5));
}

TEST(LayerAgreementOfImages, IsFoundOnTheGridOfTheSecondAndNamesTheOtherOne) {
  const Grid between = test::gridOf({3, 1, 1}, {2, 2, 2}, {1, 0, 0});
  const Comparison comparison = compareLayers(volumesOf(1, {0, 2, 4, 6}), volumesOf(1, {1, 3, 6}, between));
  EXPECT_THAT(differenceIn(comparison), ElementsAre(0, 0, -1));
  EXPECT_THAT(comparison.reasons, ElementsAre(HasSubstr("Sizes differ")));
  EXPECT_FALSE(comparison.agrees());
  const Comparison series =
      compareLayers(volumesOf(2, std::vector<float>(8)), volumesOf(2, std::vector<float>(6), between));
  EXPECT_TRUE(series.rows.empty());
}

TEST(LayerAgreementOfImages, DoesNotHideValuesWithoutAPartner) {
  const Comparison comparison = compareLayers(volumesOf(1, {1, NAN, 1, 1}), volumesOf(1, {1, 1, 1, 1}), {9});
  EXPECT_THAT(comparison.reasons, ElementsAre(HasSubstr("1 values are finite in one of the two only")));
}

TEST(LayerAgreementOfDisplacements, IsTheLengthOfTheirDifference) {
  const auto field = [](float x, float y) {
    return layerOf("field", DisplacementLayer{seriesOf(3, {0, x, 0, 0, 0, y, 0, 0, 0, 0, 0, 0})});
  };
  const Comparison comparison = compareLayers(field(1, 1), field(4, 5));
  EXPECT_EQ(comparison.rows.front().quantity, "displacement");
  EXPECT_EQ(comparison.rows.front().unit, "mm");
  EXPECT_DOUBLE_EQ(comparison.rows.front().maximum, 5) << "not 4, the largest of its parts";
  EXPECT_EQ(differenceIn(comparison)[1], 5);
  EXPECT_FALSE(compareLayers(field(1, 1), field(4, 5), {4.9}).agrees());
  EXPECT_TRUE(compareLayers(field(1, 1), field(4, 5), {5}).agrees());
}

TEST(LayerAgreementOfLabels, CountsVoxelsAndOverlaps) {
  const Comparison comparison = compareLayers(labelsOf({0, 1, 1, 2}, "Thalamus"), labelsOf({0, 1, 2, 2}));
  ASSERT_EQ(comparison.rows.size(), 3u);
  EXPECT_DOUBLE_EQ(comparison.rows[0].shareWithin, 2.0 / 3) << "the background of both does not count";
  EXPECT_EQ(comparison.rows[1].quantity, "overlap (Dice) of Thalamus");
  EXPECT_DOUBLE_EQ(comparison.rows[1].shareWithin, 2.0 / 3);
  EXPECT_EQ(comparison.rows[2].quantity, "overlap (Dice) of label 2");
  EXPECT_THAT(differenceIn(comparison), ElementsAre(0, 0, 1, 0));
  EXPECT_FALSE(comparison.agrees());
  EXPECT_TRUE(compareLayers(labelsOf({0, 1, 1, 2}), labelsOf({0, 1, 1, 2})).agrees());
}

TEST(LayerAgreementOfDirections, IsTheAngleBetweenThem) {
  const auto along = [](float x, float y) {
    std::vector<float> values(12, NAN);
    values[0] = x, values[4] = y, values[8] = 0;
    return layerOf("peaks", PeaksLayer{seriesOf(3, values)});
  };
  const Comparison comparison = compareLayers(along(1, 0), along(0, 1));
  EXPECT_EQ(comparison.rows.front().unit, "°");
  EXPECT_NEAR(comparison.rows.front().maximum, 90, 1e-3);
  EXPECT_FALSE(comparison.agrees());
  EXPECT_TRUE(compareLayers(along(1, 0), along(-1, 0)).agrees()) << "their sign says nothing";
}

TEST(LayerAgreementOfSurfaces, IsPointByPointWhereTheTrianglesAreTheSame) {
  const Comparison comparison = compareLayers(squareAt(0), squareAt(0.25F));
  EXPECT_EQ(comparison.rows.front().quantity, "point");
  EXPECT_DOUBLE_EQ(comparison.rows.front().maximum, 0.25);
  const Mesh& shown = *std::get<MeshLayer>(comparison.difference->content).mesh;
  EXPECT_THAT(shown.pointScalars.at("distance"), testing::Each(0.25F));
  ASSERT_TRUE(comparison.worst.front().place);
  EXPECT_EQ(*comparison.worst.front().place, (Vec3<double>{0, 0, 0}));
}

TEST(LayerAgreementOfSurfaces, IsTheirDistanceWhereTheTrianglesDiffer) {
  auto finer = std::make_shared<Mesh>();
  finer->points = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0.5, 0.5, 1}};
  finer->triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  const Layer other = layerOf("finer", MeshLayer{finer});
  const Comparison strict = compareLayers(squareAt(0), other);
  EXPECT_THAT(strict.reasons,
              ElementsAre("Sizes differ: 4 points and 2 triangles, and 5 points and 4 triangles."));
  ASSERT_EQ(strict.rows.size(), 2u);
  EXPECT_NEAR(strict.rows[0].maximum, 1, 1e-6);
  EXPECT_NEAR(strict.rows[1].maximum, 1, 1e-6);
  EXPECT_TRUE(compareLayers(squareAt(0), other, {1.001}).agrees());
  EXPECT_FALSE(compareLayers(squareAt(0), other, {0.9}).agrees());
}

TEST(LayerAgreement, IsOfTwoOfOneKind) {
  const Layer table = tableLayer("table", {});
  EXPECT_FALSE(mayCompare(squareAt(0), volumesOf(1, {0, 0, 0, 0})));
  EXPECT_FALSE(mayCompare(table, table));
  EXPECT_TRUE(mayCompare(labelsOf({0, 0, 0, 1}), volumesOf(1, {0, 0, 0, 0}))) << "a mask opened as an image";
  EXPECT_FALSE(compareLayers(squareAt(0), volumesOf(1, {0, 0, 0, 0})).agrees());
  EXPECT_THROW(compareLayers(table, table), Error);
}

}  // namespace
}  // namespace sulcus
