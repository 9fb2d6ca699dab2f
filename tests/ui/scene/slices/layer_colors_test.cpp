#include "ui/scene/slices/layer_colors.h"

#include "ui/scene/common/colormap.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <vtkNew.h>

namespace sulcus::ui::scene {
namespace {

TEST(Thresholds, HideBelowAndAbove) {
  Display display;
  display.hideBelow = 1;
  display.hideAbove = 3;
  EXPECT_TRUE(isHidden(display, 0.9));
  EXPECT_FALSE(isHidden(display, 1));
  EXPECT_FALSE(isHidden(display, 3));
  EXPECT_TRUE(isHidden(display, 3.1));
  EXPECT_TRUE(isHidden(display, NAN));
}

TEST(Thresholds, HideTheBandBetweenThemWhenTheyCross) {
  Display display;
  display.hideBelow = 2;
  display.hideAbove = -2;
  EXPECT_FALSE(isHidden(display, -2.5));
  EXPECT_TRUE(isHidden(display, 0));
  EXPECT_FALSE(isHidden(display, 2.5));
}

TEST(Thresholds, LetFadeWhatTheyHideDownToZero) {
  Display display;
  display.hideBelow = 2;
  EXPECT_EQ(shownOpacity(display, 1), 0) << "fading is a choice";
  display.fade = true;
  EXPECT_EQ(shownOpacity(display, 2), 1);
  EXPECT_NEAR(shownOpacity(display, 1.9999), 1, 1e-3) << "no step";
  EXPECT_EQ(shownOpacity(display, 1), 0.25);
  EXPECT_EQ(shownOpacity(display, 0), 0);
  EXPECT_EQ(shownOpacity(display, -1), 0);
  EXPECT_EQ(shownOpacity(display, NAN), 0);
  display.hideAbove = 5;
  EXPECT_EQ(shownOpacity(display, 6), 0) << "too large is no share of a threshold";
  display.hideAbove = -4;  // both tails
  EXPECT_EQ(shownOpacity(display, 1), 0.25);
  EXPECT_EQ(shownOpacity(display, -2), 0.25);
  EXPECT_EQ(shownOpacity(display, -5), 1);
  display.hideBelow = 0, display.hideAbove.reset();
  EXPECT_EQ(shownOpacity(display, -1), 0);
}

TEST(Thresholds, GoBySizeWhereNegativesHaveColorsOfTheirOwn) {
  Display display;
  display.negativeColormap = "blue-lightblue";
  display.hideBelow = 2;
  EXPECT_FALSE(isHidden(display, -2.5));
  EXPECT_TRUE(isHidden(display, -1));
  EXPECT_TRUE(isHidden(display, 1));
  display.hideAbove = 4;
  EXPECT_TRUE(isHidden(display, -5));
  display.fade = true;
  EXPECT_EQ(shownOpacity(display, -1), 0.25);
}

TEST(LayerColors, GiveNegativeValuesTheColorsOfAnotherMapBySize) {
  vtkNew<LayerColors> colors;
  Display display;
  display.colormap = "hot";
  display.negativeColormap = "viridis";
  const auto hot = colormapTable("hot"), viridis = colormapTable("viridis");
  const auto paint = [&](double low, double high) {
    display.range = Range{low, high};
    colors->show(display, {0, 1});
    const float values[] = {-9, -2, 0, 2, 9, NAN};
    std::vector<Rgba> painted(6);
    colors->paint(values, painted.front().data(), 6);
    return painted;
  };
  auto painted = paint(0, 4);
  EXPECT_EQ(painted[0], viridis[255]);
  EXPECT_EQ(painted[1], viridis[128]);
  EXPECT_EQ(painted[2], hot[0]) << "0 is no negative value";
  EXPECT_EQ(painted[3], hot[128]);
  EXPECT_EQ(painted[4], hot[255]);
  EXPECT_EQ(painted[5][3], 0);
  EXPECT_EQ(colors->bar(), (Range{-4, 4}));
  painted = paint(-3, 4);
  EXPECT_EQ(painted[1], viridis[128]) << "a range that reaches below 0 begins there";
  painted = paint(1, 3);
  EXPECT_EQ(painted[1], viridis[128]);
  EXPECT_EQ(painted[3], hot[128]);
  const auto before = colors->GetMTime();
  display.negativeColormap.clear();
  colors->show(display, {0, 1});
  EXPECT_GT(colors->GetMTime(), before);
  EXPECT_EQ(colors->bar(), (Range{1, 3}));
}

TEST(LayerColors, AreTheClearerTheFartherBelowAFadingThreshold) {
  vtkNew<LayerColors> colors;
  Display display;
  display.range = Range{0, 4};
  display.hideBelow = 2;
  display.fade = true;
  colors->show(display, {0, 1});
  const float values[] = {0.5F, 1, 2, 3};
  unsigned char rgba[16];
  colors->paint(values, rgba, 4);
  const int alpha[] = {16, 64, 255, 255};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(rgba[4 * i + 3], alpha[i]) << values[i];
  EXPECT_EQ(rgba[4], 64) << "its color is that of its value";
  const auto before = colors->GetMTime();
  display.fade = false;
  colors->show(display, {0, 1});
  EXPECT_GT(colors->GetMTime(), before);
  EXPECT_EQ(colors->MapValue(1)[3], 0);
}

TEST(LayerColors, SpreadTheColormapOverTheRangeAndHoldItsEnds) {
  vtkNew<LayerColors> colors;
  Display display;
  display.range = Range{-1, 1};
  colors->show(display, {0, 1});
  const float values[] = {-5, -1, 0, 1, 5, NAN};
  unsigned char rgba[24];
  colors->MapScalarsThroughTable2(const_cast<float*>(values), rgba, VTK_FLOAT, 6, 1, VTK_RGBA);
  const int gray[] = {0, 0, 128, 255, 255};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(rgba[4 * i], gray[i]) << i;
    EXPECT_EQ(rgba[4 * i + 3], 255) << i;
  }
  EXPECT_EQ(rgba[23], 0) << "not a number is transparent";
}

TEST(LayerColors, TakeTheRangeGivenWhereTheDisplayHasNone) {
  vtkNew<LayerColors> colors;
  colors->show({}, {10, 20});
  EXPECT_EQ(colors->MapValue(10)[0], 0);
  EXPECT_EQ(colors->MapValue(20)[0], 255);
}

TEST(LayerColors, ChangeOnlyWhenTheDisplayDoes) {
  vtkNew<LayerColors> colors;
  Display display;
  colors->show(display, {0, 1});
  const auto before = colors->GetMTime();
  display.opacity = 0.5;  // does not affect colors
  colors->show(display, {0, 1});
  EXPECT_EQ(colors->GetMTime(), before);
  display.hideBelow = 0.1;
  colors->show(display, {0, 1});
  EXPECT_GT(colors->GetMTime(), before);
}

TEST(LayerColors, GiveLabelsThePaletteAndNothingToZero) {
  vtkNew<LayerColors> colors;
  colors->showLabels({});
  const int labels[] = {0, 1, 3};
  unsigned char rgba[12];
  colors->MapScalarsThroughTable2(const_cast<int*>(labels), rgba, VTK_INT, 3, 1, VTK_RGBA);
  EXPECT_EQ(rgba[3], 0);
  for (int i = 1; i < 3; ++i)
    for (int c = 0; c < 3; ++c) EXPECT_EQ(rgba[4 * i + c], labelColor(labels[i])[std::size_t(c)]);
}

}  // namespace
}  // namespace sulcus::ui::scene
