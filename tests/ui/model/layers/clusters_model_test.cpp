#include "ui/model/layers/clusters_model.h"

#include "tests/ui/fake_analysis.h"
#include "tests/ui/wait.h"
#include "ui/jobs/qt_post.h"

#include <QObject>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

/// 5 × 1 × 1 voxels.
Layer row(const std::string& name, std::vector<float> values) {
  Layer layer = test::volumeLayer(name, {5, 1, 1});
  auto series = std::make_shared<Series<float>>(std::get<VolumeLayer>(layer.content).series->grid, 1);
  series->values = std::move(values);
  std::get<VolumeLayer>(layer.content).series = series;
  return layer;
}

Layer labelsOf(const std::string& name, std::vector<Label> values,
               const std::shared_ptr<const LabelTable>& names = nullptr) {
  Grid grid;
  grid.size = {5, 1, 1};
  auto labels = std::make_shared<Volume<Label>>(grid);
  labels->values = std::move(values);
  Layer layer;
  layer.name = name;
  layer.content = LabelsLayer{labels, names};
  return layer;
}

struct ClustersModelTest : testing::Test {
  QObject owner;
  LayerStack layers;
  JobQueue quick{jobs::qtPost(&owner)};
  ClustersModel clusters{layers, quick};

  void threshold(LayerId id, std::optional<double> above) {
    Display display = layers.find(id)->display;
    display.hideBelow = above;
    layers.setDisplay(id, display);
  }
  bool waitForRows(std::size_t rows) {
    return QTest::qWaitFor(
        [&] {
          return clusters.table() && std::get<TableLayer>(clusters.table()->content).rows.size() == rows;
        },
        kWait);
  }
  std::string cell(std::size_t row, std::size_t column) const {
    return std::get<TableLayer>(clusters.table()->content).rows.at(row).at(column);
  }
};

TEST_F(ClustersModelTest, FollowsTheThresholdThatTheLayerShows) {
  clusters.setActive(true);
  EXPECT_FALSE(clusters.summary().isEmpty());
  const LayerId map = layers.add(test::shared(row("t", {5, 0, 3, 0, 1})));
  EXPECT_TRUE(clusters.summary().contains("Hide below of t")) << clusters.summary().toStdString();
  EXPECT_FALSE(clusters.table());
  threshold(map, 2);
  ASSERT_TRUE(waitForRows(2));
  EXPECT_EQ(clusters.summary(), "t: 2 clusters of values above 2, 26-connectivity.");
  layers.rename(map, "visual");
  EXPECT_TRUE(QTest::qWaitFor([&] { return clusters.summary().startsWith("visual: 2 clusters"); }));
  threshold(map, 4);
  ASSERT_TRUE(waitForRows(1));
  threshold(map, {});
  EXPECT_FALSE(clusters.table()) << "all of it hangs together";
}

TEST_F(ClustersModelTest, MakesNothingWhileHidden) {
  const LayerId map = layers.add(test::shared(row("t", {5, 0, 3, 0, 1})));
  threshold(map, 2);
  EXPECT_TRUE(clusters.summary().isEmpty());
  clusters.setActive(true);
  ASSERT_TRUE(waitForRows(2));
}

TEST_F(ClustersModelTest, TakesTheLabelsWithNamesUnlessOthersAreChosen) {
  auto names = std::make_shared<LabelTable>();
  (*names)[7].name = "Pons";
  const LayerId atlas = layers.add(test::shared(labelsOf("atlas", {7, 7, 7, 0, 0}, names)));
  const LayerId regions = layers.add(test::shared(labelsOf("regions", {1, 1, 2, 1, 1})));
  layers.add(test::shared(labelsOf("mask", {1, 1, 1, 0, 1})));
  const LayerId map = layers.add(test::shared(row("t", {5, 0, 0, 0, 0})));
  EXPECT_EQ(clusters.labelLayers(), (std::vector{regions, atlas})) << "a mask names nothing";
  EXPECT_EQ(clusters.labels(), atlas);
  threshold(map, 2);
  clusters.setActive(true);
  ASSERT_TRUE(waitForRows(1));
  EXPECT_EQ(cell(0, 7), "7 Pons");
  clusters.chooseLabels(regions);
  ASSERT_TRUE(QTest::qWaitFor([&] { return cell(0, 7) == "1"; }, kWait));
  layers.remove(regions);
  EXPECT_EQ(clusters.labels(), atlas);
  clusters.chooseLabels(0);
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return std::get<TableLayer>(clusters.table()->content).columns.size() == 10; }, kWait));
}

TEST_F(ClustersModelTest, AMaskThatGetsASecondLabelIsAnAtlasFromThenOn) {
  const LayerId mask = layers.add(test::shared(labelsOf("mask", {1, 1, 1, 0, 1})));
  EXPECT_TRUE(clusters.labelLayers().empty());
  layers.replaceContent(mask, test::shared(labelsOf("mask", {1, 1, 2, 0, 1})));
  EXPECT_EQ(clusters.labelLayers(), std::vector{mask});
  layers.remove(mask);
  EXPECT_TRUE(clusters.labelLayers().empty());
}

TEST_F(ClustersModelTest, TakesNoComputedLabelsForAnAtlas) {
  layers.add(test::shared(labelsOf("shown", {1, 1, 2, 1, 1})), Origin::computed);
  EXPECT_EQ(clusters.labels(), 0);
}

TEST_F(ClustersModelTest, ForgetsTheTableOfAnotherLayer) {
  clusters.setActive(true);
  const LayerId map = layers.add(test::shared(row("t", {5, 0, 3, 0, 1})));
  threshold(map, 2);
  ASSERT_TRUE(waitForRows(2));
  layers.add(test::shared(labelsOf("mask", {1, 1, 1, 1, 1})));
  EXPECT_FALSE(clusters.table());
}

}  // namespace
}  // namespace sulcus::ui::model
