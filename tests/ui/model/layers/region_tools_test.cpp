#include "ui/model/layers/region_tools.h"

#include "tests/ui/model/session/session_fixture.h"
#include "ui/model/layers/region_plot.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

std::int64_t labeled(const LayerState* state, std::int32_t label) {
  const auto& labels = std::get<LabelsLayer>(state->layer->content).labels->values;
  return std::count(labels.begin(), labels.end(), label);
}

struct RegionToolsTest : SessionTest {
  LayerId image = layers().add(test::shared(test::volumeLayer("image", {9, 9, 9})));
  RegionTools& tools = workspace->editing().regions;
};

TEST_F(RegionToolsTest, TheFirstStrokeMakesALayerOnTheGridOfTheImage) {
  EXPECT_EQ(tools.target(), 0);
  tools.setBrush({true, 3, 1, false, false});
  tools.strokeTo({4, 4, 4}, {0, 0, 1});
  const LayerState* regions = named("regions");
  ASSERT_TRUE(regions);
  EXPECT_EQ(tools.target(), regions->id);
  EXPECT_EQ(labeled(regions, 3), 5) << "a disc in one slice";
  EXPECT_EQ(std::get<LabelsLayer>(regions->layer->content).labels->grid.size, (Vec3<int>{9, 9, 9}));
  EXPECT_TRUE(regions->unsaved);
}

TEST_F(RegionToolsTest, AStrokeHasNoGapsAndEndsWhereTheHandLetsGo) {
  tools.setBrush({true, 1, 0.5, false, false});
  tools.strokeTo({0, 0, 0}, {0, 0, 1});
  tools.strokeTo({8, 0, 0}, {0, 0, 1});
  EXPECT_EQ(labeled(named("regions"), 1), 9);
  tools.endStroke();
  tools.strokeTo({0, 8, 0}, {0, 0, 1});
  EXPECT_EQ(labeled(named("regions"), 1), 10) << "nothing between the end and the new beginning";
}

TEST_F(RegionToolsTest, UndoTakesBackAStrokeAndRedoBringsItAgain) {
  tools.addBall({4, 4, 4}, 1);
  ASSERT_TRUE(waitFor([&] { return session().undoText().contains("opening"); }));
  const auto ball = labeled(named("regions"), 1);
  tools.setBrush({true, 1, 3, true, true});
  tools.strokeTo({4, 4, 4}, {0, 0, 1});
  tools.endStroke();
  EXPECT_EQ(labeled(named("regions"), 1), 0) << "erased";
  ASSERT_TRUE(waitFor([&] { return session().undoText() == "change of regions"; }));
  session().undo();
  EXPECT_EQ(labeled(named("regions"), 1), ball);
  session().redo();
  EXPECT_EQ(labeled(named("regions"), 1), 0);
}

TEST_F(RegionToolsTest, PaintingAnAtlasFromAFileMakesItUnsaved) {
  Layer atlas =
      emptyLabels("atlas", std::get<VolumeLayer>(layers().find(image)->layer->content).series->grid);
  atlas.source = "atlas.nii.gz";
  const LayerId id = layers().add(test::shared(atlas));
  EXPECT_FALSE(layers().find(id)->unsaved);
  tools.addBall({4, 4, 4}, 1);
  EXPECT_EQ(layers().layers().size(), 2u) << "the current labels are painted on";
  EXPECT_TRUE(layers().find(id)->unsaved);
  EXPECT_EQ(layers().find(id)->layer->source, "");
}

TEST_F(RegionToolsTest, TheLayerThatIsPaintedComesToTheTop) {
  tools.addBall({4, 4, 4}, 1);
  const LayerId regions = tools.target();
  layers().move(regions, 0);
  tools.setBrush({true, 1, 1, false, false});
  EXPECT_EQ(layers().layers().back().id, regions);
}

TEST_F(RegionToolsTest, StatisticsAreOfTheShownVolumeOfTheImage) {
  EXPECT_FALSE(tools.statistics());
  tools.addBall({4, 4, 4}, 1);
  ASSERT_TRUE(tools.statistics());
  const LayerPtr table = tools.statistics()();
  EXPECT_EQ(table->name, "statistics of regions in image");
  const auto& rows = std::get<TableLayer>(table->content).rows;
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0][1], "7");
  EXPECT_EQ(rows[0][3], "7");
  EXPECT_EQ(std::get<TableLayer>(table->content).columns.size(), rows[0].size());
}

TEST_F(RegionToolsTest, StatisticsAreOfTheImageThatIsSeen) {
  const LayerId upper = layers().add(test::shared(test::volumeLayer("upper", {9, 9, 9}, 5)));
  tools.addBall({4, 4, 4}, 1);
  layers().setCurrent(tools.target());
  EXPECT_EQ(tools.image(), upper) << "it covers the other";
  layers().setVisible(upper, false);
  EXPECT_EQ(tools.image(), image);
  layers().setVisible(image, false);
  EXPECT_EQ(tools.image(), upper) << "of two that are hidden the uppermost";
}

TEST_F(RegionToolsTest, TheRulerReachesToTheCrosshair) {
  QSignalSpy changed(&tools, &RegionTools::rulerChanged);
  workspace->view().setCrosshair({1, 1, 1});
  EXPECT_EQ(changed.count(), 0);
  tools.setRuler(Vec3<double>{1, 1, 1});
  workspace->view().setCrosshair({4, 5, 1});
  EXPECT_EQ(tools.rulerLength(), 5);
  EXPECT_EQ(changed.count(), 2);
  layers().clear();
  EXPECT_FALSE(tools.rulerFrom());
}

TEST_F(RegionToolsTest, AMeanOverTimeIsOfferedWhereASeriesAndLabelsAreOpen) {
  layers().add(test::shared(test::volumeLayer("bold", {9, 9, 9}, 1, 4)));
  EXPECT_FALSE(workspace->evaluation().plots.names().contains("Region"));
  tools.addBall({4, 4, 4}, 1);
  EXPECT_TRUE(workspace->evaluation().plots.names().contains("Region"));
}

TEST_F(RegionToolsTest, ItsPlotCallsTheSeriesAsTheListOfLayersDoes) {
  const LayerId series = layers().add(test::shared(test::volumeLayer("bold", {9, 9, 9}, 1, 4)));
  tools.addBall({4, 4, 4}, 1);
  workspace->view().setCrosshair({4, 4, 4});
  PlotsModel& plots = workspace->evaluation().plots;
  plots.setActive(true);
  plots.setCurrent("Region");
  const auto ends = [&](const std::string& end) {
    return waitFor(
        [&] { return !plots.charts().empty() && plots.charts().front().chart.title.ends_with(end); });
  };
  EXPECT_TRUE(ends("voxels of bold"));
  layers().rename(series, "rest");
  EXPECT_TRUE(ends("voxels of rest"));
}

TEST(RegionPlot, IsOfTheRegionAtTheCrosshair) {
  Layer bold = test::volumeLayer("bold", {3, 1, 1}, 1, 2);
  auto series = std::make_shared<Series<float>>(std::get<VolumeLayer>(bold.content).series->grid, 2);
  series->values = {1, 3, 7, 5, 9, 7};
  bold.content = VolumeLayer{series, {}, 2.5, {}};
  auto labels = std::make_shared<Volume<Label>>(series->grid);
  labels->values = {6, 6, 0};
  Layer regions;
  regions.name = "atlas";
  regions.content = LabelsLayer{labels};
  const Plot plot = regionPlot({test::shared(bold), "rest"}, {test::shared(regions), "lobes"});
  EXPECT_TRUE(plot.followsCrosshair);
  const Chart chart = plot.make({1, 0, 0});
  EXPECT_EQ(chart.title, "Region 6: mean of 2 voxels of rest");
  EXPECT_EQ(chart.series.back().x, (std::vector<double>{0, 2.5}));
  EXPECT_EQ(chart.series.back().y, (std::vector<double>{2, 7}));
  EXPECT_TRUE(plot.make({2, 0, 0}).series.empty());
  EXPECT_EQ(plot.make({50, 0, 0}).title, "No region of lobes at the crosshair");
}

}  // namespace
}  // namespace sulcus::ui::model
