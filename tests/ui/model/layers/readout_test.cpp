#include "ui/model/layers/readout.h"

#include "tests/ui/mesh_analysis.h"

#include <algorithm>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

TEST(ReadoutTest, FindsTheNearestVoxelOfAnObliqueGrid) {
  Grid grid;
  grid.size = {4, 4, 4};
  grid.worldFromVoxel.m = {{{0, -2, 0}, {2, 0, 0}, {0, 0, 3}}};
  grid.worldFromVoxel.t = {10, 20, 30};
  const auto voxel = voxelAt(grid, grid.worldFromVoxel.point({1.4, 2.6, 3.1}));
  ASSERT_TRUE(voxel);
  EXPECT_EQ(*voxel, (Vec3<int>{1, 3, 3}));
  EXPECT_FALSE(voxelAt(grid, grid.worldFromVoxel.point({-0.6, 0, 0})));
  EXPECT_FALSE(voxelAt(grid, grid.worldFromVoxel.point({0, 0, 3.6})));
}

TEST(ReadoutTest, NamesTheSideOfEveryCoordinate) {
  EXPECT_EQ(positionText({12, -3.5, 0}), "R 12.0  P 3.5  S 0.0 mm");
  EXPECT_EQ(positionText({-1, 2, -3}), "L 1.0  A 2.0  I 3.0 mm");
}

TEST(ReadoutTest, ListsVisibleLayersTopFirst) {
  LayerStack stack;
  Layer base = volumeLayer("base");
  base.unit = "mm";
  stack.add(shared(base));
  const LayerId hidden = stack.add(shared(volumeLayer("hidden")));
  stack.setVisible(hidden, false);
  stack.add(shared(volumeLayer("top", {8, 8, 8}, 10)));
  EXPECT_EQ(valuesText(stack, {1, 0, 0}), QString("top: 11    base: 2") + QChar(0x00A0) + "mm");
  EXPECT_EQ(valuesText(stack, {100, 0, 0}), "");
  EXPECT_EQ(voxelText(stack, {1, 2, 3}), "voxel 1, 2, 3");
  EXPECT_EQ(voxelText(stack, {100, 0, 0}), "outside");
}

TEST(ReadoutTest, SaysWhatAProbabilityIsOfOnce) {
  LayerStack stack;
  Layer map = volumeLayer("probability of visual", {8, 8, 8}, -4);
  map.unit = "P(effect > 0)";
  stack.add(shared(map));
  EXPECT_EQ(valuesText(stack, {1, 0, 0}), QString::fromUtf8("probability of visual: −3"));
}

TEST(ReadoutTest, ShortensLongNamesUntilTheValuesOfAllFit) {
  LayerStack stack;
  stack.add(shared(volumeLayer("sub-01_task-rest_run-1_space-MNI152_bold")));
  stack.add(shared(volumeLayer("sub-01_task-rest_run-2_space-MNI152_bold")));
  EXPECT_EQ(valuesText(stack, {1, 0, 0}, [](const QString& text) { return text.size() < 40; }).toStdString(),
            "…run-2…bold: 2    …run-1…bold: 2");
  EXPECT_EQ(valuesText(stack, {1, 0, 0}, [](const QString&) { return true; }), valuesText(stack, {1, 0, 0}));
  EXPECT_EQ(valuesText(stack, {1, 0, 0}, [](const QString& text) { return text.size() < 22; }).toStdString(),
            "…run-2…: 2    …")
      << "a value is shown whole or not at all";
}

TEST(ReadoutTest, PutsNoMoreLayersIntoWordsThanHaveRoom) {
  LayerStack stack;
  for (int i = 0; i < 300; ++i)
    stack.add(shared(volumeLayer("sub-" + std::to_string(i) + "_space-MNI152_T1w")));
  int tries = 0;
  qsizetype longest = 0;
  const QString shown = valuesText(stack, {1, 0, 0}, [&](const QString& text) {
    ++tries, longest = std::max(longest, text.size());
    return text.size() < 60;
  });
  EXPECT_EQ(shown.toStdString(), "sub-299…: 2    sub-298…: 2    sub-297…: 2    …");
  EXPECT_LT(tries, 10);
  EXPECT_LT(longest, 100);
}

TEST(ReadoutTest, NamesTheLabel) {
  Layer layer = volumeLayer("atlas");
  auto labels = std::make_shared<Volume<Label>>(*gridOf(layer));
  std::fill(labels->values.begin(), labels->values.end(), 17);
  LabelsLayer content{labels};
  LayerStack stack;
  layer.content = content;
  stack.add(shared(layer));
  EXPECT_EQ(valuesText(stack, {1, 0, 0}), "atlas: 17");
  content.names = std::make_shared<const LabelTable>(LabelTable{{17, {"Left-Hippocampus", std::nullopt}}});
  layer.content = content;
  stack.replaceContent(stack.layers()[0].id, shared(layer));
  EXPECT_EQ(valuesText(stack, {1, 0, 0}), "atlas: 17 Left-Hippocampus");
}

TEST(ReadoutTest, CountsTheDirectionsOfAVoxel) {
  Grid grid;
  grid.size = {1, 1, 1};
  auto peaks = std::make_shared<Series<float>>(grid, 9, std::numeric_limits<float>::quiet_NaN());
  for (int i = 0; i < 6; ++i) peaks->values[std::size_t(i)] = 0.5f;
  LayerState state;
  Layer layer;
  layer.content = PeaksLayer{peaks, nullptr};
  state.layer = shared(layer);
  EXPECT_EQ(valueAt(state, {0, 0, 0}), "2 directions");
}

TEST(ReadoutTest, FramesALayerWithTheCrosshairInTheMiddleOfAVoxel) {
  Layer layer = volumeLayer("a", {10, 20, 30});
  ViewState view;
  ASSERT_TRUE(frameOn(layer, view));
  EXPECT_EQ(view.crosshair(), (Vec3<double>{5, 10, 15}));
  EXPECT_EQ(view.center(), (Vec3<double>{4.5, 9.5, 14.5}));
  EXPECT_GE(view.extent(), 30);
  Layer table;
  table.content = TableLayer{};
  EXPECT_FALSE(frameOn(table, view));
}

TEST(ReadoutTest, ReadsASurfaceAtItsNearestPointIfThatIsNear) {
  LayerStack stack;
  Mesh mesh = test::ball(10);
  for (const auto& p : mesh.points) mesh.pointScalars["displacement"].push_back(p.z);
  Layer layer = test::meshLayer("ball", mesh);
  layer.unit = "mm";
  const LayerId id = stack.add(shared(std::move(layer)));
  EXPECT_EQ(valueAt(*stack.find(id), {0, 0.1, 10.3}), QStringLiteral("10") + QChar(0x00A0) + "mm");
  EXPECT_EQ(valueAt(*stack.find(id), {0, 0, 12}), "");
  stack.setVolume(id, -1);
  EXPECT_EQ(valueAt(*stack.find(id), {0, 0, 10}), "");
}

TEST(ReadoutTest, FramesAllThatIsVisible) {
  const auto at = [](double x, int edge, bool visible) {
    Grid grid;
    grid.size = {edge, edge, edge};
    grid.worldFromVoxel.t = {x, 0, 0};
    LayerState state;
    Layer layer;
    layer.content = VolumeLayer{std::make_shared<const Series<float>>(grid, 1)};
    state.layer = std::make_shared<const Layer>(std::move(layer));
    state.display.visible = visible;
    return state;
  };
  ViewState view;
  ASSERT_TRUE(frameOnVisible({at(0, 10, true), at(50, 4, true), at(500, 4, false)}, view));
  EXPECT_NEAR(view.extent(), 1.05 * 54, 1e-9) << "from one end of the one to the other end of the other";
  EXPECT_NEAR(view.center().x, 26.5, 1e-9);
  EXPECT_EQ(view.crosshair(), (Vec3<double>{5, 5, 5})) << "in the middle of the larger";
  EXPECT_FALSE(frameOnVisible({at(0, 10, false)}, view));
}

TEST(ReadoutTest, FindsThePeakAbove) {
  Grid grid;
  grid.size = {12, 1, 1};
  auto series = std::make_shared<Series<float>>(grid, 1);
  series->values = {0, 1, 2, 5, 3, 1, 2, 3, 9, NAN, 1, 0};
  LayerState state;
  Layer layer;
  layer.content = VolumeLayer{series};
  state.layer = std::make_shared<const Layer>(std::move(layer));
  EXPECT_EQ(peakNear(state, {1, 0, 0}), (Vec3<double>{3, 0, 0}));
  EXPECT_EQ(peakNear(state, {6, 0, 0}), (Vec3<double>{8, 0, 0}));
  EXPECT_FALSE(peakNear(state, {40, 0, 0})) << "outside";
}

}  // namespace
}  // namespace sulcus::ui::model
