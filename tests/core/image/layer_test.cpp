#include "core/image/layer.h"

#include "core/base/error.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

Grid line(int n) {
  Grid grid;
  grid.size = {n, 1, 1};
  return grid;
}

Layer volumeLayer(std::vector<float> values) {
  auto series = std::make_shared<Series<float>>(line(int(values.size())), 1);
  series->values = std::move(values);
  Layer layer;
  layer.name = "scan";
  layer.content = VolumeLayer{series, {}, 0, {}};
  return layer;
}

TEST(AutomaticRange, IsTheSecondToTheNinetyEighthPercentile) {
  std::vector<float> values(101);
  for (int i = 0; i <= 100; ++i) values[std::size_t(i)] = float(i);
  EXPECT_EQ(automaticRange(values), (Range{2, 98}));
}

TEST(AutomaticRange, ForgetsWhatIsNotFinite) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(automaticRange(std::vector<float>{nan, inf, -inf}), (Range{0, 1}));
  EXPECT_EQ(automaticRange(std::vector<float>{}), (Range{0, 1}));
  EXPECT_EQ(automaticRange(std::vector<float>{5, nan, 5}), (Range{5, 6}));
}

TEST(AutomaticRange, ShowsRareValuesOfAMostlyEmptyImage) {
  std::vector<float> values(1000, 0.f);
  values[500] = 7;
  EXPECT_EQ(automaticRange(values), (Range{0, 7}));
}

TEST(Layer, KindAndGridFollowTheContent) {
  Layer layer = volumeLayer({1, 2, 3});
  EXPECT_EQ(kindOf(layer), "volume");
  ASSERT_NE(gridOf(layer), nullptr);
  EXPECT_EQ(gridOf(layer)->size.x, 3);

  layer.content = TableLayer{};
  EXPECT_EQ(kindOf(layer), "table");
  EXPECT_EQ(gridOf(layer), nullptr);
}

TEST(MaskOf, TakesWhatIsSoundAndNotZero) {
  const Mask mask = maskOf(volumeLayer({0, 1, -2, std::nanf(""), 0.5f, INFINITY, 1e20f}));
  EXPECT_EQ(mask.values, (std::vector<std::uint8_t>{0, 1, 1, 0, 1, 0, 0}));
}

TEST(MaskOf, RefusesASeries) {
  Layer layer = volumeLayer({0, 1});
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(line(2), 3), {}, 0, {}};
  EXPECT_THROW(maskOf(layer), Error);
}

TEST(MaskLayer, IsTheMaskAgain) {
  Grid grid;
  grid.size = {3, 1, 1};
  Mask mask(grid);
  mask.values = {0, 1, 1};
  const Layer layer = maskLayer("region", mask);
  EXPECT_EQ(kindOf(layer), "labels");
  EXPECT_FALSE(layer.display.visible);
  EXPECT_EQ(maskOf(layer).values, mask.values);
}

TEST(WithConvention, ReadsXAndYTheOtherWayRound) {
  Grid grid;
  grid.size = {2, 1, 1};
  Series<float> field(grid, 3);
  field.values = {1, 2, 3, 4, 5, 6};
  Layer layer;
  layer.content = DisplacementLayer{std::make_shared<const Series<float>>(field), FieldConvention::itk};
  EXPECT_EQ(
      std::get<DisplacementLayer>(withConvention(layer, FieldConvention::itk).content).displacement->values,
      field.values);
  const Layer other = withConvention(layer, FieldConvention::slicer);
  const auto& read = std::get<DisplacementLayer>(other.content);
  EXPECT_EQ(read.convention, FieldConvention::slicer);
  EXPECT_EQ(read.displacement->values, (std::vector<float>{-1, -2, -3, -4, 5, 6}));
  const Layer back = withConvention(other, FieldConvention::itk);
  EXPECT_EQ(std::get<DisplacementLayer>(back.content).displacement->values, field.values);
  EXPECT_THROW(withConvention(volumeLayer({1, 2}), FieldConvention::itk), Error);
}

TEST(MaskOf, RefusesWhatIsNotAnImage) {
  Layer layer;
  layer.name = "curve";
  layer.content = CurveLayer{};
  EXPECT_THROW(maskOf(layer), Error);
}

}  // namespace
}  // namespace sulcus
