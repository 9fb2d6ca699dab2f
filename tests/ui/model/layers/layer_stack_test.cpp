#include "ui/model/layers/layer_stack.h"

#include "tests/ui/mesh_analysis.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

TEST(LayerStackTest, PutsNewLayersOnTopAndMakesThemCurrent) {
  LayerStack stack;
  const LayerId a = stack.add(shared(volumeLayer("a"))), b = stack.add(shared(volumeLayer("b")));
  EXPECT_EQ(stack.layers().front().id, a);
  EXPECT_EQ(stack.layers().back().id, b);
  EXPECT_EQ(stack.current(), b);
}

TEST(LayerStackTest, KeepsNamesUnique) {
  LayerStack stack;
  stack.add(shared(volumeLayer("peaks")));
  const LayerId second = stack.add(shared(volumeLayer("peaks"))),
                third = stack.add(shared(volumeLayer("peaks")));
  EXPECT_EQ(stack.find(second)->name, "peaks 2");
  EXPECT_EQ(stack.find(third)->name, "peaks 3");
  stack.rename(third, "peaks 2");
  EXPECT_EQ(stack.find(third)->name, "peaks 2 2");
  stack.rename(second, "peaks 2");
  EXPECT_EQ(stack.find(second)->name, "peaks 2");
}

TEST(LayerStackTest, NeverUsesAnIdTwice) {
  LayerStack stack;
  const LayerId first = stack.add(shared(volumeLayer("a")));
  stack.remove(first);
  EXPECT_NE(stack.add(shared(volumeLayer("a"))), first);
}

TEST(LayerStackTest, GivesVolumesARangeEvenWhenTheyAreGivenNone) {
  LayerStack stack;
  const LayerId id = stack.add(shared(volumeLayer("a")));
  ASSERT_TRUE(stack.find(id)->display.range);
  EXPECT_EQ(stack.find(id)->display.range->low, 1);
  EXPECT_EQ(stack.find(id)->display.range->high, 7);
  Display display = stack.find(id)->display;
  display.range.reset();
  stack.setDisplay(id, display);
  EXPECT_TRUE(stack.find(id)->display.range);
}

TEST(LayerStackTest, MakesTheLayerBelowCurrentWhenTheCurrentOneGoes) {
  LayerStack stack;
  const LayerId a = stack.add(shared(volumeLayer("a"))), b = stack.add(shared(volumeLayer("b")));
  stack.add(shared(volumeLayer("c")));
  stack.setCurrent(b);
  stack.remove(b);
  EXPECT_EQ(stack.current(), a);
  stack.remove(a);
  stack.remove(stack.layers().front().id);
  EXPECT_EQ(stack.current(), 0);
  EXPECT_TRUE(stack.empty());
}

TEST(LayerStackTest, MovesLayersAndSignalsOnlyRealMoves) {
  LayerStack stack;
  const LayerId a = stack.add(shared(volumeLayer("a")));
  const LayerId b = stack.add(shared(volumeLayer("b")));
  QSignalSpy reordered(&stack, &LayerStack::reordered);
  stack.move(a, 1);
  EXPECT_EQ(stack.layers().back().id, a);
  stack.move(a, 99);
  EXPECT_EQ(reordered.count(), 1);
  stack.move(a, -5);
  EXPECT_EQ(stack.layers().back().id, b);
}

TEST(LayerStackTest, KeepsTheShownVolumeWithinTheSeries) {
  LayerStack stack;
  const LayerId id = stack.add(shared(volumeLayer("a", {2, 2, 2}, 1, 5)));
  stack.setVolume(id, 7);
  EXPECT_EQ(stack.find(id)->volume, 4);
  stack.replaceContent(id, shared(volumeLayer("a", {2, 2, 2}, 1, 2)));
  EXPECT_EQ(stack.find(id)->volume, 1);
}

TEST(LayerStackTest, KeepsNameAndDisplayWhenTheContentIsReplaced) {
  LayerStack stack;
  const LayerId id = stack.add(shared(volumeLayer("a")));
  stack.rename(id, "mine");
  Display display = stack.find(id)->display;
  display.opacity = 0.25;
  stack.setDisplay(id, display);
  QSignalSpy changed(&stack, &LayerStack::contentChanged);
  stack.replaceContent(id, shared(volumeLayer("other")));
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(stack.find(id)->name, "mine");
  EXPECT_EQ(stack.find(id)->display.opacity, 0.25);
}

TEST(LayerStackTest, GivesEachSurfaceAColorOfItsOwn) {
  LayerStack stack;
  const LayerId a = stack.add(shared(test::meshLayer("a", test::ball(1, 0))));
  stack.add(shared(volumeLayer("volume")));
  const LayerId b = stack.add(shared(test::meshLayer("b", test::ball(1, 0))));
  EXPECT_EQ(stack.find(a)->color, 0);
  EXPECT_EQ(stack.find(b)->color, 1);
  stack.remove(a);
  const LayerId c = stack.add(shared(test::meshLayer("c", test::ball(1, 0))));
  EXPECT_EQ(stack.find(c)->color, 0) << "free again";
}

TEST(LayerStackTest, ShowsADivergingMapAsFarBelow0AsAbove) {
  LayerStack stack;
  Layer map = volumeLayer("effect", {8, 8, 8}, -2);  // −2 … 4
  map.display.colormap = "heat-cool";
  const Range diverging = *stack.find(stack.add(shared(map)))->display.range;
  EXPECT_EQ(diverging.low, -diverging.high);
  EXPECT_NEAR(diverging.high, 4, 0.2);
  map.display.colormap = "viridis";
  EXPECT_NEAR(stack.find(stack.add(shared(map)))->display.range->low, -2, 0.2);
}

TEST(LayerStackTest, ShowsTheScalarsOfASurfaceOverTheirOwnRange) {
  LayerStack stack;
  Mesh mesh = test::ball(10);
  for (const auto& p : mesh.points) {
    mesh.pointScalars["moved"].push_back(p.x < 0 ? p.x : p.x / 2);
    mesh.pointScalars["thickness"].push_back(2 + p.z / 10);
  }
  const LayerId id = stack.add(shared(test::meshLayer("a", mesh)));
  const auto range = [&] { return *stack.find(id)->display.range; };
  EXPECT_EQ(stack.find(id)->display.colormap, "cool-warm");
  EXPECT_TRUE(stack.find(id)->display.colorBar);
  EXPECT_EQ(range().low, -range().high) << "0 is the middle of a diverging map";
  EXPECT_NEAR(range().high, 9.5, 0.5);
  stack.setVolume(id, 1);
  EXPECT_NEAR(range().low, 1, 0.2);
  EXPECT_NEAR(range().high, 3, 0.2);
  stack.setVolume(id, -7);
  EXPECT_EQ(stack.find(id)->volume, -1) << "plain";
  stack.setVolume(id, 7);
  EXPECT_EQ(stack.find(id)->volume, 1);
  mesh.pointScalars.clear();
  stack.replaceContent(id, shared(test::meshLayer("a", mesh)));
  EXPECT_EQ(stack.find(id)->volume, 0);
}

TEST(LayerStackTest, ForgetsAnImageThatSaysHowOpaqueAnotherIsWithIt) {
  LayerStack stack;
  const LayerId map = stack.add(shared(test::volumeLayer("map")));
  const LayerId weight = stack.add(shared(test::volumeLayer("weight")));
  int told = 0;
  QObject::connect(&stack, &LayerStack::displayChanged, [&] { ++told; });
  stack.setOpacityBy(map, weight);
  stack.setOpacityBy(map, weight);
  EXPECT_EQ(told, 1) << "of what is new";
  const std::vector<LayerState> before = stack.layers();
  stack.remove(weight);
  EXPECT_EQ(stack.find(map)->opacityBy, 0);
  EXPECT_EQ(told, 2);
  stack.restore(before, map);
  EXPECT_EQ(stack.find(map)->opacityBy, weight) << "undone";
  EXPECT_EQ(told, 3);
}

TEST(LayerStackTest, ReportsTheEndOfChangesThatBelongTogetherOnce) {
  LayerStack stack;
  const LayerId first = stack.add(shared(test::volumeLayer("first")));
  QSignalSpy added(&stack, &LayerStack::added), changed(&stack, &LayerStack::changed),
      current(&stack, &LayerStack::currentChanged);
  {
    const LayerStack::BatchUpdate together(stack);
    for (int i = 0; i < 3; ++i) stack.rename(stack.add(shared(test::volumeLayer("map"))), "named");
    stack.setCurrent(first);
    EXPECT_EQ(added.count(), 3) << "each at once";
    EXPECT_EQ(changed.count(), 0);
  }
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(current.count(), 0) << "it is the one before";
  stack.setCurrent(stack.layers().back().id);
  EXPECT_EQ(changed.count(), 2);
  EXPECT_EQ(current.count(), 1);
}

TEST(LayerStackTest, ShowsAStatisticOverWhatLiesBelow) {
  LayerStack layers;
  Layer map = volumeLayer("zstat1");
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(map.content).series);
  for (std::size_t i = 0; i < series->values.size(); ++i) series->values[i] = float(i % 11) - 5;
  std::get<VolumeLayer>(map.content).series = series;
  map.display.range.reset();
  const Display display = layers.find(layers.add(shared(std::move(map))))->display;
  EXPECT_NE(display.colormap, "gray");
  EXPECT_FALSE(display.negativeColormap.empty());
  EXPECT_EQ(display.hideBelow, 2.3);
  EXPECT_TRUE(display.fade);
  EXPECT_TRUE(display.colorBar);
  EXPECT_EQ(layers.find(layers.add(shared(volumeLayer("t1"))))->display.colormap, "gray");
}

TEST(LayerStackOverlays, ProbabilitiesOverAnImageAreColoredAndClearWhereThereAreNone) {
  const auto map = [] {
    Layer layer = volumeLayer("gm", {8, 8, 8});
    auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(layer.content).series);
    for (std::size_t i = 0; i < series->values.size(); ++i)
      series->values[i] = i % 2 ? 0 : float(i % 10) / 10;
    std::get<VolumeLayer>(layer.content).series = series;
    layer.source = "/scans/gm.nii";
    return shared(std::move(layer));
  };
  LayerStack stack;
  EXPECT_EQ(stack.find(stack.add(map()))->display.colormap, Display().colormap) << "alone it is an image";
  LayerStack other;
  other.add(shared(volumeLayer("T1")));
  const LayerState& over = *other.find(other.add(map()));
  EXPECT_EQ(over.display.colormap, "yellow-red");
  EXPECT_GT(over.display.hideBelow.value_or(0), 0);
}

TEST(AutomaticRange, BeginsAtZeroWhereOnlyRoundingIsAboveIt) {
  Grid grid;
  grid.size = {10, 10, 10};
  auto series = std::make_shared<Series<float>>(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) series->at(i, 0) = i % 2 ? 700.F : 2.6e-11F;
  Layer layer;
  layer.content = VolumeLayer{series, {}, 0, {}};
  EXPECT_EQ(automaticRangeOf(layer)->low, 0);
}

}  // namespace
}  // namespace sulcus::ui::model
