#include "ui/model/comparison/compared_layers.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

Layer linesAt(std::initializer_list<float> places, std::optional<Grid> scan) {
  auto tracts = std::make_shared<Tracts>();
  for (const float y : places) {
    tracts->points.push_back({0, y, 0});
    tracts->points.push_back({3, y, 0});
    tracts->first.push_back(tracts->points.size());
  }
  Layer layer;
  layer.name = "lines";
  layer.content = TractsLayer{tracts, scan};
  return layer;
}

RunResult resultOf(std::vector<Layer> layers) {
  RunResult result;
  result.layers = std::move(layers);
  return result;
}

TEST(ComparedLayers, OfTractsTheDensitiesAreShownAndTheFirstMinusTheSecond) {
  Grid scan;
  scan.size = {4, 3, 1};
  const RunResult a = resultOf({linesAt({0, 1, 1}, scan)}), b = resultOf({linesAt({1, 2}, scan)});
  const auto maps = mapsBeside(a, b, {});
  ASSERT_TRUE(maps);
  const auto values = [](const Layer& map) { return std::get<VolumeLayer>(map.content).series->values; };
  EXPECT_EQ(values((*maps)[0]), (std::vector<float>{1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0}));
  EXPECT_EQ(values((*maps)[1]), (std::vector<float>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(values(differenceOf(*maps)), (std::vector<float>{1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1}));
}

TEST(ComparedLayers, DensitiesOfRunsAreTakenAsTheyAre) {
  Grid scan;
  scan.size = {4, 3, 1};
  const auto run = [&](float value) {
    return resultOf(
        {linesAt({0}, scan), mapLayer("density", "lines", "magma", Series<float>(scan, 1, value))});
  };
  const auto maps = mapsBeside(run(3), run(5), {});
  ASSERT_TRUE(maps);
  EXPECT_EQ(std::get<VolumeLayer>((*maps)[1].content).series->values[0], 5);
  EXPECT_FALSE(mapsBeside(resultOf({mapLayer("density", "", "gray", Series<float>(scan, 1))}), run(3), {}));
  EXPECT_FALSE(mapsBeside(resultOf({}), run(3), {}));
}

}  // namespace
}  // namespace sulcus::ui::model
