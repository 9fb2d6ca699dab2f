#include "ui/model/runs/run_layers.h"

#include "tests/ui/fake_analysis.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

Layer mapFrom(const std::string& name, double threshold, bool visible) {
  Layer layer = test::volumeLayer(name);
  layer.display.hideBelow = threshold;
  layer.display.visible = visible;
  return layer;
}

struct RunLayersTest : testing::Test {
  LayerStack stack;
  RunLayers run{stack, QStringLiteral("CPU")};
  const LayerState& layer(const char* name) {
    for (const LayerState& state : stack.layers())
      if (state.name == QLatin1String(name)) return state;
    throw std::out_of_range(name);
  }
};

TEST_F(RunLayersTest, AreCalledInPlainWordsAndTheirFilesAsBefore) {
  run.show({mapFrom("ppm_visual", 0.5, true)}, false);
  EXPECT_EQ(layer("probability of visual (CPU)").layer->name, "ppm_visual (CPU)");
  run.setTitle(QStringLiteral("GPU"));
  EXPECT_EQ(stack.layers().back().name, "probability of visual (GPU)");
  stack.rename(stack.layers().back().id, QStringLiteral("mine"));
  run.setTitle(QStringLiteral("CPU"));
  EXPECT_EQ(stack.layers().back().name, "mine");
}

TEST_F(RunLayersTest, FollowTheThresholdOfEachPreviewUntilTheUserChoosesOne) {
  run.show({mapFrom("map", 0.5, true)}, true);
  run.show({mapFrom("map", 0.9, true)}, true);
  EXPECT_EQ(layer("map (CPU)").display.hideBelow, 0.9);
  run.show({mapFrom("map", 0.95, true)}, false);
  EXPECT_EQ(layer("map (CPU)").display.hideBelow, 0.95) << "the result has its own";
  RunLayers other(stack, QStringLiteral("GPU"));
  other.show({mapFrom("map", 0.5, true)}, true);
  Display display = layer("map (GPU)").display;
  display.hideBelow = 0.7;
  stack.setDisplay(layer("map (GPU)").id, display);
  other.show({mapFrom("map", 0.95, true)}, false);
  EXPECT_EQ(layer("map (GPU)").display.hideBelow, 0.7);
}

TEST_F(RunLayersTest, ShowWhatAsksToBeSeenElseTheFirst) {
  run.show({mapFrom("grid", 0, false), mapFrom("warped", 0, true)}, false);
  EXPECT_FALSE(layer("grid (CPU)").display.visible);
  EXPECT_TRUE(layer("warped (CPU)").display.visible);
  EXPECT_EQ(stack.layers().back().name, "grid (CPU)") << "on top all the same";
  EXPECT_EQ(stack.current(), layer("warped (CPU)").id) << "its colors are at hand";
  RunLayers other(stack, QStringLiteral("GPU"));
  other.show({mapFrom("grid", 0, false), mapFrom("warped", 0, false)}, false);
  EXPECT_TRUE(layer("grid (GPU)").display.visible);
}

}  // namespace
}  // namespace sulcus::ui::model
